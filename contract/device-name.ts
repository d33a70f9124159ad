const browsers = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A readable name, such as "Firefox on Windows". */
export function nameDevice(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = browsers.find(([, form]) => form.test(text))?.[0]
  const system = systems.find(([, form]) => form.test(text))?.[0]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'an unknown device'
}
