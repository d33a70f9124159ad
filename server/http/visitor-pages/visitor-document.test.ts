import { expect, it } from 'vitest'
import { withVisitorPage } from './visitor-document.ts'

const document = `<html><head><title>Ovation</title></head><body><div id="root"></div>
    <noscript>This site needs JavaScript.</noscript>
    <script type="module" src="/app.js"></script></body></html>`

it('puts the page where the app renders, and its data where no text can end the element [FIND-01]', () => {
  const data = JSON.stringify({ bio: '</script><script>ran()</script><!-- $& $1' })
  const page = withVisitorPage(document, {
    html: '<h1>Costs $& and $1</h1>',
    data,
  })
  expect(page).toContain('<div id="root" data-visitor-page><h1>Costs $& and $1</h1></div>')
  const [, json = ''] = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json)).toEqual(JSON.parse(data))
  expect(page.match(/<script/g)).toHaveLength(2)
  // It can be read without scripts.
  expect(page).not.toContain('<noscript>')
})

it('paints the page as a whole', () => {
  const page = withVisitorPage(document, { html: '<h1>Hello</h1>', data: '{}' })
  expect(page).toContain('<link rel="expect" href="#page-data" blocking="render"></head>')
})

it('lets the style sheet and the pictures load before the app', () => {
  const page = withVisitorPage(document.replace('</head>', '<link rel="modulepreload" href="/a.js"></head>'), {
    html: '&lt;script type="module"',
    data: '{}',
  })
  expect(page).toContain('<script type="module" fetchpriority="low" src="/app.js">')
  expect(page).toContain('<link rel="modulepreload" fetchpriority="low" href="/a.js">')
})
