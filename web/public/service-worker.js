/*
 * Shows push notifications, and opens the screen that one is about. It keeps no files and answers no requests: the app is served with
 * caching rules of its own, and a stale copy of a screen about money helps nobody.
 */
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { id, title, body, url } = read(event.data)
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag: id,
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      data: { url },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data?.url ?? '/notifications', self.location.origin)))
})

/** A push must show something, or browsers take the permission away: what cannot be read says so little. */
function read(data) {
  const fallback = { id: 'notification', title: 'New notification', body: '', url: '/notifications' }
  try {
    return { ...fallback, ...data.json() }
  } catch {
    return fallback
  }
}

/** In a window of this site where there is one, else in a new one. */
async function open(url) {
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const known = windows.find((client) => new URL(client.url).origin === url.origin)
  if (!known) return self.clients.openWindow(url)
  await known.focus()
  if (known.url !== url.href) await known.navigate(url)
}
