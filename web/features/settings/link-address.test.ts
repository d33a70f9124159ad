import { expect, it } from 'vitest'
import { colorOf } from './color-of.ts'
import { linkAddress } from './link-address.ts'

it.each([
  ['noor.example', 'https://noor.example/'],
  [' HTTPS://Noor.Example/About ', 'https://noor.example/About'],
  ['https://www.noor.example/@noor?a=1#top', 'https://www.noor.example/@noor?a=1#top'],
  ['https://blög.example/a b', 'https://xn--blg-tna.example/a%20b'],
  ['https://noor.example/a|b?q={x}^', 'https://noor.example/a%7Cb?q=%7Bx%7D%5E'],
  ['https://noor.example/\u202egpj', 'https://noor.example/%E2%80%AEgpj'],
])('an address %j is stored as %j', (typed, address) => {
  expect(linkAddress(typed)).toBe(address)
})

it.each([
  '',
  'noor',
  'http://noor.example',
  'javascript:alert(1)',
  'data:text/html,hi',
  'mailto:noor',
  'https://localhost',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://noor.example:8443/',
  'https://noor:secret@noor.example/',
  'https://',
])('%j is no address', (typed) => {
  expect(linkAddress(typed)).toBeNull()
})

it.each([
  ['#1F5F99', '#1f5f99'],
  [' 1f5f99 ', '#1f5f99'],
  ['', null],
  ['red', null],
  ['#fff', null],
  ['#1f5f99;', null],
  ['#1f5f9g', null],
])('a color code %j is %j', (typed, color) => {
  expect(colorOf(typed)).toBe(color)
})
