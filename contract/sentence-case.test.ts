import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('./texts/', import.meta.url)
const specification = readFileSync(new URL('../docs/specification.md', import.meta.url), 'utf8')

/** Names keep their capitals. */
const names =
  /\b(?:Stripe(?: (?:Connect|Dashboard))?|Social Security|American Express|WebVTT|Creator Setup|Terms of Service|Privacy Policy)\b/g
/** The texts of a file, as written: a part in `${}` ends one. */
const literals = (source: string): string[] =>
  [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].flatMap((match) =>
    (match[1] ?? match[2] ?? match[3] ?? '').split(/\$\{[^}]*\}/),
  )
/** A title or a label: a few words, and no sentence. */
const isLabel = (text: string): boolean => /^[A-Z]/.test(text) && text.split(' ').length <= 6 && !/[.,;:>?!]/.test(text)
/** A capital that neither begins the text nor belongs to a name. */
const hasTitleCase = (text: string): boolean =>
  / [A-Z][a-z]/.test(text.trim().replace(names, (name) => name.toLowerCase()))

it.each(readdirSync(folder))(
  'writes titles and labels in sentence case, except those that a row fixes: %s [LOOP-28]',
  (file) => {
    const labels = literals(readFileSync(new URL(file, folder), 'utf8')).filter(isLabel)
    expect(labels.filter((text) => hasTitleCase(text) && !specification.includes(text.trim()))).toEqual([])
  },
)
