import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('quotes where needed, and lets no cell become a formula', () => {
  expect(
    csvOf([
      ['Name', 'Spent'],
      ['Ada "the" Harbour, photographer', '-9.99'],
      ['-$1,009.99', '-$1+1'],
      ['=1+1', '@x'],
      ['\n=1+1', '+1 555'],
      ['Ada;=1+1', 'a; b-c'],
      ['Ada;"=1+1', ''],
    ]),
  ).toBe(
    [
      '\uFEFFName,Spent',
      '"Ada ""the"" Harbour, photographer",-9.99',
      `"-$1,009.99",'-$1+1`,
      "'=1+1,'@x",
      `"'\n'=1+1",'+1 555`,
      "Ada;'=1+1,a; b-c", // a spreadsheet that splits at semicolons sees no formula either
      `"Ada;'""=1+1",`,
      '',
    ].join('\r\n'),
  )
})
