import { expect, it } from 'vitest'
import { linksBack } from './links-back.ts'

const page = new URL('https://noor.example/about/')
const profile = 'https://ovation.example/@noor'
const links = (html: string) => linksBack(html, page, ({ href }) => href === profile)

it.each([
  ['a link', `<p>Find me on <a rel="me" href="${profile}">Ovation</a></p>`],
  ['a link in the head', `<!doctype html><head><link rel=me href=${profile}></head>`],
  ['a link with more relations, in any case', `<A HREF='${profile}' REL="noopener ME">Ovation</A>`],
  [
    'a link after a comment and a script',
    `<!-- <a> --><script>if (a < b) c()</script><a rel="me" href="${profile}">x</a>`,
  ],
  ['a link with character references', `<a rel="me" href="https&colon;//ovation.example/&#64;noor">x</a>`],
  ['a link in a part for browsers without scripts', `<noscript><a rel="me" href="${profile}">x</a></noscript>`],
  ['a link at the end of a page that was cut', `<a rel="me" href="${profile}"><p>And th`],
])('finds %s', (_what, html) => {
  expect(links(html)).toBe(true)
})

it.each([
  ['a link without rel="me"', `<a href="${profile}">Ovation</a>`],
  ['another relation', `<a rel="home mercury" href="${profile}">Ovation</a>`],
  ['the address of another profile', `<a rel="me" href="${profile}-2">Ovation</a>`],
  ['the address as text', `<a rel="me" href="/">${profile}</a>`],
  ['a link in a comment', `<!-- <a rel="me" href="${profile}">x</a> -->`],
  ['a link in a script', `<script>document.write('<a rel="me" href="${profile}">x</a>')</script>`],
  ['a link in a text field', `<textarea><a rel="me" href="${profile}">x</a></textarea>`],
  ['a link in the title', `<title><a rel="me" href="${profile}"></title>`],
  ['a link in an attribute', `<p title='<a rel="me" href="${profile}">'>x</p>`],
  ['an element that is no link', `<area rel="me" href="${profile}">`],
  ['a tag that never ends', `<a rel="me" href="${profile}"`],
  ['no address', `<a rel="me">x</a><a rel="me" href="https://[">x</a>`],
  ['an empty page', ''],
])('does not accept %s', (_what, html) => {
  expect(links(html)).toBe(false)
})

it('resolves relative addresses with the address of the page', () => {
  const own = (html: string) => linksBack(html, page, ({ href }) => href === 'https://noor.example/me')
  expect(own('<a rel="me" href="../me">x</a>')).toBe(true)
})

it('reads a large hostile page in no time', () => {
  const nested = '<b a><i b><a rel=x>'.repeat(20_000)
  const attributes = `<a ${Array.from({ length: 60_000 }, (_, index) => `a${index}`).join(' ')}>`
  const started = performance.now()
  expect(links(`${nested}${attributes}${'<p>x</p>'.repeat(5_000)}`)).toBe(false)
  expect(performance.now() - started).toBeLessThan(2_000)
})
