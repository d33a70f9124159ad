import { screens } from './screens.ts'

/** The parameter of a short address. Usernames and ids have no other characters, so anything else, encoded or not, is an unknown path. */
const parameter = /^([\w-]{1,36})\/*$/

/**
 * The path that a short address stands for: `/profile/mara` for `/@mara` (PAGE-02). Undefined for every other path. It is a file of its own, so
 * that the web app's shell doesn't contain it.
 */
export function canonicalPath(path: string): string | undefined {
  const readable = path.replace(/^\/%40/, '/@') // some programs encode it in links
  for (const { pattern, short } of screens) {
    if (short === undefined || !readable.startsWith(short)) continue
    const [, value] = parameter.exec(readable.slice(short.length)) ?? []
    if (value !== undefined) return pattern.replace(/:\w+/, value.toLowerCase())
  }
  return undefined
}
