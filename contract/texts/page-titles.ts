/** Titles of public pages, without the site's name: in the browser's tab, in search results, and on other sites (FIND-02). */

export const profileTitle = (name: string, username: string): string => `${name} (@${username})`

/** A product by its title and creator. */
export const productTitle = (title: string, creator: string): string => `${title} by ${creator}`

export const tagTitle = (tag: string): string => `#${tag}`

type Titled = { readonly title: string | null; readonly content: string | null; readonly created_at: string }

/** Most characters of a post's text that stand in for its title. Everyone may read more of it (POST-11). */
const wordsLength = 60

/**
 * A post by its title and creator, because many posts have the same title. Without a title, how it begins; without words, when it was
 * published, in UTC, so that the server and each browser say the same.
 */
export function postTitle({ title, content, created_at }: Titled, creator: string): string {
  if (title) return `${title} by ${creator}`
  const words = (content ?? '').replace(/\s+/g, ' ').trim()
  if (words === '') return `Post by ${creator}, ${created_at.slice(0, 16).replace('T', ' ')}`
  // Between two characters of the text, not inside an emoji.
  const start = [...words].slice(0, wordsLength).join('')
  return `${creator}: ${start.length < words.length ? `${start.trimEnd()}…` : start}`
}
