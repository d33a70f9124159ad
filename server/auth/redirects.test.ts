import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { allowedRedirect } from './redirects.ts'

const redirect = (requested: unknown, siteUrl: string, allowList = '') =>
  allowedRedirect({ siteUrl: () => siteUrl, config: parseConfig({ AUTH_URI_ALLOW_LIST: allowList }) }, requested)

it.each([
  ['https://site.test/a?b=1', 'https://site.test', '', true],
  ['https://site.test:444/a', 'https://site.test', '', false],
  ['http://site.test/a', 'https://site.test', '', false],
  ['https://sub.site.test/', 'https://site.test', '', false],
  ['http://localhost:8000/a', 'http://127.0.0.1:8000', '', true],
  ['http://localhost:9000/a', 'http://127.0.0.1:8000', '', false],
  ['http://127.0.0.1:8000/a', 'https://site.test', '', false],
  ['https://a.app.test/x', 'https://site.test', 'https://*.app.test/x', true],
  ['https://a.b.app.test/x', 'https://site.test', 'https://*.app.test/x', false],
  ['https://evil.test/?.app.test/x', 'https://site.test', 'https://*.app.test/x', false],
  ['https://app.test/x/y/z', 'https://site.test', 'https://app.test/**', true],
  ['https://app.test/x/y', 'https://site.test', 'https://app.test/*', false],
  ['https://app.test', 'https://site.test', 'https://app.test', true],
  ['https://appXtest/', 'https://site.test', 'https://app.test/', false],
  ['ovation://callback', 'https://site.test', 'ovation://callback', true],
  ['javascript:alert(1)', 'https://site.test', '**', false],
  ['data:text/html,x', 'https://site.test', '**', false],
  ['https://u:p@site.test/', 'https://site.test', '', false],
])('%s from %s with "%s": %s', (requested, siteUrl, allowList, allowed) => {
  expect(redirect(requested, siteUrl, allowList)).toBe(allowed ? new URL(requested).href : siteUrl)
})

it.each([undefined, null, 5, '', 'nonsense', '/path', '//evil.test', ['https://site.test']])(
  '%j leads home',
  (requested) => {
    expect(redirect(requested, 'https://site.test')).toBe('https://site.test')
  },
)
