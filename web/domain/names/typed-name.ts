/** The tag or mention that is being typed before the caret. */
export type TypedName = { sign: '#' | '@'; typed: string; start: number; end: number }

const before = /(?<![\p{Alphabetic}0-9_/&#@])(?<sign>[#@])(?<typed>[\p{Alphabetic}0-9_-]{0,50})$/u

/** @param caret where the text is being changed. A tag begins with its first character, a mention with the sign. */
export function typedName(text: string, caret: number): TypedName | undefined {
  const found = before.exec(text.slice(0, caret))
  const { sign, typed = '' } = found?.groups ?? {}
  if (!found || (sign !== '#' && sign !== '@') || (sign === '#' && (typed === '' || typed.includes('-'))))
    return undefined
  return { sign, typed, start: found.index, end: caret }
}
