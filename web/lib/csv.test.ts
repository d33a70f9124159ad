import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('quotes what has to be quoted, and lets no cell become a formula', () => {
  expect(
    csvOf([
      ['Name', 'Spent'],
      ['Ada "the" Harbour, photographer', '-9.99'],
      ['=1+1', '@x'],
      ['\n=1+1', '+1 555'],
    ]),
  ).toBe('\uFEFFName,Spent\r\n"Ada ""the"" Harbour, photographer",-9.99\r\n\'=1+1,\'@x\r\n"\'\n=1+1",\'+1 555\r\n')
})
