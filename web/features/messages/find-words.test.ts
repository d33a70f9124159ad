import { expect, it } from 'vitest'
import { findWords } from './find-words.ts'

const marked = (text: string, search: string) =>
  findWords(text, search)
    .map(({ text: part, found }) => (found ? `[${part}]` : part))
    .join('')

it('marks the words of a search without case and accents, at the beginning of a word [INBOX-02]', () => {
  expect(marked('The pier, at noon. Piers!', 'PIER')).toBe('The [pier], at noon. [Pier]s!')
  expect(marked('Rapier and pier', 'pier')).toBe('Rapier and [pier]')
  expect(marked('Crème brûlée', 'brulee creme')).toBe('[Crème] [brûlée]')
  expect(marked('Cre\u0300me', 'crème')).toBe('[Cre\u0300me]')
  expect(marked('Die Größe von Łódź', 'grosse lodz')).toBe('Die [Größe] von [Łódź]')
  expect(marked('I don’t know', "don't")).toBe('I [don]’[t] know')
  expect(marked('👋 Привет', 'прив')).toBe('👋 [Прив]ет')
})

it('marks words of scripts without spaces wherever they are [INBOX-02]', () => {
  expect(marked('こんにちは世界、元気', '世界')).toBe('こんにちは[世界]、元気')
})

it('marks nothing where nothing is found, and keeps the text as it is [INBOX-02]', () => {
  for (const search of ['', '!?', 'sea']) expect(marked('<b>Pier</b> & more', search)).toBe('<b>Pier</b> & more')
})
