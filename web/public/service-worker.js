/*
 * Opens the app without a connection, shows push notifications, and opens the screen that one is about.
 *
 * It keeps the files of the current release, and nothing of any user: no answer of an API passes through it. With a connection, the
 * document comes from the server, always. What a user can read offline, the app keeps and deletes itself (web/lib/browser/offline-data.ts).
 */
try {
  // Written by the build, and compared by browsers like this file: a release with other files installs anew.
  importScripts('/offline-files.js')
} catch {
  // Without a build (`npm run dev`), nothing opens offline.
}

const prefix = 'release:'
const files = self.offlineFiles ?? []
const shell = '/'
const settings = '/app-config.json'
const others = ['/color-scheme.js', '/favicon.svg', '/icon-192.png', '/manifest.webmanifest']
/** The same files are the same release: their names contain their hashes. */
const release = (async () => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(files.join()))
  return prefix + [...new Uint8Array(hash).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
})()

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(keepRelease())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await self.registration.navigationPreload?.enable()
      await self.clients.claim()
      const current = await release
      for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== current) await caches.delete(name)
    })(),
  )
})

/** @throws if a file is missing, which ends the installation: the browser tries again on a later visit. */
async function keepRelease() {
  if (files.length === 0) return
  const cache = await caches.open(await release)
  // These have no hash in their names, so the browser asks the server.
  await cache.addAll([shell, settings, ...others].map((path) => new Request(path, { cache: 'no-cache' })))
  const html = await (await cache.match(shell)).text()
  const scripts = [...html.matchAll(/ src="(\/assets\/[^"]+)"/g)].map(([, script]) => script)
  if (!scripts.every((script) => files.includes(script))) throw new Error('The document is of another release.')
  // A few at a time: the open page needs the connection too.
  const missing = []
  for (const file of files) if (!(await cache.match(file, { ignoreVary: true }))) missing.push(file)
  while (missing.length > 0) await cache.addAll(missing.splice(0, 4))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || files.length === 0) return
  if (request.mode === 'navigate') {
    if (!isApi(pathname)) event.respondWith(openScreen(event))
  } else if (pathname === settings) event.respondWith(readSettings(request))
  else if (pathname.startsWith('/assets/') || others.includes(pathname)) event.respondWith(readFile(request, pathname))
})

/** A file that is opened directly, or a payment page, is no screen of the app. */
const isApi = (pathname) => /^\/(auth|rest|storage|functions|realtime)\/v1\/|^\/sandbox(\/|$)|\.\w+$/.test(pathname)

/** The server's document, or without a connection the kept one, with the headers that the server sent for it. */
async function openScreen(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const kept = await readKept(shell)
    if (!kept) throw error
    return kept
  }
}

/** The settings of the site. Without a connection, the kept ones, and the app reads from their header that there is none. */
async function readSettings(request) {
  try {
    const response = await fetch(request, { cache: 'no-cache' })
    if (response.ok) await keep(settings, response.clone())
    return response
  } catch (error) {
    const kept = await readKept(settings)
    if (!kept) throw error
    const headers = new Headers(kept.headers)
    headers.set('x-offline', '1')
    return new Response(kept.body, { headers })
  }
}

/** A file with a hash in its name never changes, so the kept one is as good as the server's. */
async function readFile(request, pathname) {
  if (pathname.startsWith('/assets/')) return (await readKept(pathname)) ?? fetch(request)
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await readKept(pathname)
    if (!kept) throw error
    return kept
  }
}

/** Storage may be full or blocked. */
async function keep(path, response) {
  try {
    const name = await release
    if (await caches.has(name)) await (await caches.open(name)).put(path, response)
  } catch {
    // The older copy stays.
  }
}

/** From this release alone: a document of one with the files of another wouldn't start. */
async function readKept(path) {
  const name = await release
  // Compressed or not, it is the same file.
  return (await caches.has(name)) ? (await caches.open(name)).match(path, { ignoreVary: true }) : undefined
}

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
