import { paths } from './routes.ts'

const exact: ReadonlySet<string> = new Set(Object.values(paths).filter((path) => typeof path === 'string'))
const withParameter = [/^\/profile\/[^/]+$/, /^\/post\/[^/]+$/, /^\/private-sessions\/[^/]+$/, /^\/search$/]

/** Whether the web app has a screen at this path. The server answers 404 where it has none, and the app shows its 404 screen. */
export function isScreen(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path
  if (trimmed === paths.notFound) return false
  return exact.has(trimmed) || withParameter.some((pattern) => pattern.test(trimmed))
}
