import { expect, it } from 'vitest'
import { writeHead } from './write-head.ts'

it('writes texts as text, never as markup [FIND-02]', () => {
  const head = writeHead({
    title: 'The "pier" & </title><script>ran()</script>',
    description: "It's > 2",
    canonical: 'https://ovation.example/post/1',
    isIndexed: true,
    meta: { 'og:title': '"><img src=x>', 'twitter:card': 'summary', 'og:image': undefined, 'og:description': '' },
    links: [{ rel: 'me', href: 'https://mara.example/?a=1&b="' }],
  })
  expect(head.split('\n').map((line) => line.trim())).toEqual([
    '<title>The &quot;pier&quot; &amp; &lt;/title&gt;&lt;script&gt;ran()&lt;/script&gt;</title>',
    '<meta name="description" content="It&#39;s &gt; 2" />',
    '<meta property="og:title" content="&quot;&gt;&lt;img src=x&gt;" />',
    '<meta name="twitter:card" content="summary" />',
    '<link rel="canonical" href="https://ovation.example/post/1" />',
    '<link rel="me" href="https://mara.example/?a=1&amp;b=&quot;" />',
  ])
})

it('has data that no text can end [FIND-02]', () => {
  const name = '</script><script>ran()</script><!--'
  const head = writeHead({ title: 'T', isIndexed: true, data: { name } })
  const block = /<script type="application\/ld\+json">(.*)<\/script>$/.exec(head)?.[1] ?? ''
  expect(block).not.toContain('<')
  expect(JSON.parse(block)).toEqual({ name })
})

it('asks search engines to leave out a page that is not for them', () => {
  expect(writeHead({ title: 'T', isIndexed: false })).toContain('<meta name="robots" content="noindex" />')
})
