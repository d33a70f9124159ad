/** A part of a text, and whether it is one of the words searched for. */
export type TextPart = { text: string; found: boolean; at: number }

/** Characters with a stroke, or of two in one, which Unicode doesn’t take apart. */
const plain: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' }

/** Without case and accents, as the search compares. Empty for an accent alone. By way of capitals, which take ß apart. */
function fold(character: string): string {
  const letters = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()
  return plain[letters] ?? letters
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
/** Characters of scripts without spaces: a word can begin anywhere. */
const isUnspaced = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    character,
  )

/**
 * Finds the words of a search in a text, as the server does nearly always: it knows more spellings of a letter. A word that it found and this
 * doesn't is only not marked.
 */
export function findWords(text: string, search: string): TextPart[] {
  const characters = [...text]
  // Each folded character with the position of the one it comes from.
  const folded = characters.flatMap((character, at) => [...fold(character)].map((letter) => ({ letter, at })))
  const words = search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map((word) => [...word].flatMap((character) => [...fold(character)]))
    .filter((word) => word.length > 0)
  const marked = new Set<number>()
  for (const word of words) {
    for (let start = 0; start + word.length <= folded.length; start += 1) {
      const first = folded[start]
      if (!first || first.letter !== word[0]) continue
      if (isWordPart(folded[start - 1]?.letter) && !isUnspaced(first.letter)) continue
      if (!word.every((letter, step) => folded[start + step]?.letter === letter)) continue
      const end = folded[start + word.length - 1]?.at ?? first.at
      for (let at = first.at; at <= end; at += 1) marked.add(at)
    }
  }
  const parts: TextPart[] = []
  for (const [at, character] of characters.entries()) {
    const last = parts.at(-1)
    if (last && last.found === marked.has(at)) last.text += character
    else parts.push({ text: character, found: marked.has(at), at })
  }
  return parts
}
