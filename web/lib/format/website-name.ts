/**
 * `"https://www.noor.example/"` → `"noor.example"`, as browsers parse it: they encode direction marks, which could make it read as another
 * site. `null` if it is no URL, which the database doesn't rule out.
 */
export function websiteName(url: string): string | null {
  try {
    return new URL(url).href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  } catch {
    return null
  }
}
