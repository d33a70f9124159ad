const names: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether a host, as `URL.hostname` gives it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return names.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)
}
