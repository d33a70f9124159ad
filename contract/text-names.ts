/** A `#tag` or `@name` in a text, where it begins and ends. */
export type TextName = {
  kind: 'tag' | 'mention'
  /** Lowercase, without its sign. */
  name: string
  start: number
  end: number
}

/** As in `private.names_in`, which decides what the database keeps: a test compares the two. */
const urlLike = /:\/\/|www\.|[\p{Alphabetic}0-9_]\.[\p{Alphabetic}0-9_]{2,}\//iu
const names =
  /(?<![\p{Alphabetic}0-9_/&#@])(?:#(?<tag>[\p{Alphabetic}0-9_]{1,50})(?![\p{Alphabetic}0-9_])|@(?<mention>[A-Za-z0-9_-]{2,29}[A-Za-z0-9_])(?![\p{Alphabetic}0-9_@]))/gu

/**
 * The tags and mentions of a text in Unicode's composed form (`normalize()`), in order (TALK-01). Nothing within a URL is one, and a number
 * isn't a tag.
 */
export function findNames(text: string): TextName[] {
  return [...text.matchAll(/\S+/gu)].flatMap((word) =>
    urlLike.test(word[0])
      ? []
      : [...word[0].matchAll(names)].flatMap((found): TextName[] => {
          const { tag, mention } = found.groups ?? {}
          const name = (tag ?? mention ?? '').toLowerCase()
          if (tag !== undefined && !/[^0-9_]/u.test(tag)) return []
          const start = word.index + found.index
          return [{ kind: tag === undefined ? 'mention' : 'tag', name, start, end: start + found[0].length }]
        }),
  )
}

/** Whether a text may have a name: most have none. */
export const mayHaveName = (text: string): boolean => /[#@][\p{Alphabetic}0-9_]/u.test(text)
