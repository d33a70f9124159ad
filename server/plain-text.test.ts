import { expect, it } from 'vitest'
import { plainText, shorten } from './plain-text.ts'

it.each([
  ['lines and tabs', 'one\n\n two\tthree ', 'one two three'],
  ['marks that reverse what follows', 'Mara\u202egnp.exe\u2066\u200f', 'Maragnp.exe'],
  ['controls, which XML forbids', 'a\u0001b\u009fc\ufffe', 'abc'],
])('has no %s', (_what, text, expected) => {
  expect(plainText(text)).toBe(expected)
})

it('keeps other scripts and composed emoji', () => {
  const text = 'مرحبا 你好 👩‍🎨'
  expect(plainText(text)).toBe(text)
})

it.each([
  ['a short text as it is', 'short', false, 'short'],
  ['more behind a short text', 'short', true, 'short…'],
  ['nothing behind no text', '', true, ''],
  ['5,000 characters to its length', 'x'.repeat(5000), false, `${'x'.repeat(9)}…`],
  ['a text between two characters, never inside one', `${'x'.repeat(8)}🎭 and more`, false, `${'x'.repeat(8)}…`],
])('shortens %s', (_what, text, goesOn, expected) => {
  expect(shorten(text, 10, goesOn)).toBe(expected)
})
