import { expect, it } from 'vitest'
import { findLinks } from './find-links.ts'

const linksIn = (text: string) => findLinks(text).flatMap((part) => (typeof part === 'string' ? [] : [part.text]))

it.each([
  ['an address', 'See https://noor.example/prints', ['https://noor.example/prints']],
  ['one without encryption', 'See http://noor.example', ['http://noor.example']],
  [
    'one without a scheme',
    'Prints at noor-haddad.com/prints and www.noor.art',
    ['noor-haddad.com/prints', 'www.noor.art'],
  ],
  [
    'the punctuation after it',
    'Look: https://noor.example/a, https://noor.example/b. Really?',
    ['https://noor.example/a', 'https://noor.example/b'],
  ],
  ['brackets around it', 'My prints (https://noor.example/prints).', ['https://noor.example/prints']],
  ['brackets in it', 'https://en.wikipedia.org/wiki/Blue_(color)', ['https://en.wikipedia.org/wiki/Blue_(color)']],
  ['quotes around it', '"https://noor.example/prints"', ['https://noor.example/prints']],
  ['a query and a fragment', 'https://noor.example/?a=1&b=2#top', ['https://noor.example/?a=1&b=2#top']],
  ['a very long one', `https://noor.example/${'a'.repeat(900)}`, [`https://noor.example/${'a'.repeat(900)}`]],
])('finds %s [LOOP-13]', (_what, text, links) => {
  expect(linksIn(text)).toEqual(links)
  expect(
    findLinks(text)
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join(''),
  ).toBe(text)
})

it.each([
  'noor@noor-haddad.com',
  'mailto:noor@noor-haddad.com',
  'javascript:alert(1)',
  'JAVASCRIPT://noor.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://noor.example/file',
  'file:///etc/passwd',
  '//noor.example/path',
  'https://',
  'https://noor:secret@noor.example',
  'https://bank.example@evil.example/sign-in',
  'It was great.So we stayed.',
  'Version 1.2.3 at 10.30, 192.168.0.1',
  '<b>bold</b> and &amp;',
  'https://exa\u202Emple.example',
])('leaves %s as text [LOOP-13]', (text) => {
  expect(findLinks(text)).toEqual([text])
})

it('finds every link of a text that is full of them [LOOP-13]', () => {
  const text = Array.from({ length: 400 }, (_, n) => `https://noor.example/${n}`).join(' ')
  expect(linksIn(text)).toHaveLength(400)
})

it('keeps the true host of a name written in look-alike characters [LOOP-13]', () => {
  const [link] = findLinks('https://аpple.com/login')
  expect(link).toMatchObject({ url: { href: 'https://xn--pple-43d.com/login' } })
})
