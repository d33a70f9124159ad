import { expect, it } from 'vitest'
import { parseDomain } from './custom-domains.ts'

it.each([
  ['mara.art', 'mara.art'],
  ['  https://Mara.Art/about?x=1#y ', 'mara.art'],
  ['mara.art:8443', 'mara.art'],
  ['mara.art.', 'mara.art'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['studio.mara-k.co.uk', 'studio.mara-k.co.uk'],
])('reads %j as a domain [PAGE-02]', (text, domain) => {
  expect(parseDomain(text)).toBe(domain)
})

it.each([
  '',
  'mara',
  'localhost',
  '203.0.113.7',
  '0x7f.1',
  '[2001:db8::1]',
  'mara..art',
  '-mara.art',
  'mara_k.art',
  'name:word@mara.art',
  'mara.art, other.example',
  `${'a'.repeat(64)}.art`,
  `${'a.'.repeat(130)}art`,
  'javascript:alert(1)',
])('rejects %j [PAGE-02]', (text) => {
  expect(parseDomain(text)).toBeNull()
})
