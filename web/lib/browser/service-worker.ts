const canWork = () => 'serviceWorker' in navigator

/** Installs public/service-worker.js, which opens the app offline and shows push notifications. Does nothing if it is installed. */
export async function registerServiceWorker(): Promise<void> {
  if (canWork()) await navigator.serviceWorker.register('/service-worker.js')
}
