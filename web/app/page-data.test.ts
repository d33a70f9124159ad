import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { readPageData, writePageData } from './page-data.ts'

afterEach(() => document.body.replaceChildren())

it('gives the browser’s queries what the server’s have read, Maps and pages included [FIND-01]', () => {
  const server = new QueryClient()
  const links = new Map([['a.jpg', '/signed?a']])
  const posts = { pages: [[{ id: 'one', text: '</script>' }]], pageParams: [undefined] }
  server.setQueryData(['media-links', 'posts', ['a.jpg']], links)
  server.setQueryData(['posts', 'of', 'mara'], posts)
  const element = document.createElement('script')
  element.id = 'page-data'
  element.type = 'application/json'
  element.textContent = writePageData(server)
  document.body.append(element)

  const browser = new QueryClient()
  expect(readPageData(browser)).toBe(true)
  expect(browser.getQueryData(['media-links', 'posts', ['a.jpg']])).toEqual(links)
  // JSON has no `undefined`: both mean the first page.
  expect(browser.getQueryData(['posts', 'of', 'mara'])).toEqual({ ...posts, pageParams: [null] })
})

it('finds nothing in a document that the server has not rendered', () => {
  expect(readPageData(new QueryClient())).toBe(false)
})
