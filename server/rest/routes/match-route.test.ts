import { describe, expect, it } from 'vitest'
import { isRestUrl, matchRoute } from './match-route.ts'

describe('a URL', () => {
  it.each(['/rest/v1', '/rest/v1/', '/rest/v1?a=b', '/rest/v1/books', 'http://example.com/rest/v1/books?a=b'])(
    '%s is of rest/v1',
    (url) => expect(isRestUrl(url)).toBe(true),
  )

  it.each([
    undefined,
    '/',
    '*',
    '/rest',
    '/rest/v10',
    '/rest/v1x/books',
    '/auth/v1?next=/rest/v1/books',
    '/a/rest/v1/',
  ])('%s is not', (url) => expect(isRestUrl(url)).toBe(false))

  it.each([
    ['/rest/v1', 'description', '', ''],
    ['/rest/v1/?apikey=a', 'description', '', 'apikey=a'],
    ['/rest/v1/books?a=b?c', 'relation', 'books', 'a=b?c'],
    ['http://example.com/rest/v1/books?a=b', 'relation', 'books', 'a=b'],
    ['/rest/v1/b%6Foks', 'relation', 'books', ''],
    ['/rest/v1/a%2Fb%20c', 'relation', 'a/b c', ''],
    ['/rest/v1/books#part?a=b', 'relation', 'books', ''],
    ['/rest/v1/rpc', 'relation', 'rpc', ''],
    ['/rest/v1/rpc/add?a=1', 'function', 'add', 'a=1'],
    ['/rest/v1/rpc/', undefined, '', ''],
    ['/rest/v1/books/', undefined, '', ''],
    ['/rest/v1/books/1?a=b', undefined, '', 'a=b'],
    ['/rest/v1//books', undefined, '', ''],
    ['/rest/v1/%ff', undefined, '', ''],
    ['/rest/v1/%zz', undefined, '', ''],
  ])('%s leads to %s %s %s', (url, resource, name, search) => {
    expect(matchRoute(url)).toMatchObject({ resource, name, search })
  })
})
