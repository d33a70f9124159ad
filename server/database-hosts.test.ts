import { describe, expect, it } from 'vitest'
import { hostsOf, userOf } from './database-hosts.ts'

describe('hostsOf', () => {
  it('names one URL for each host, with the same user, database, and query [SCALE-03]', () => {
    expect(hostsOf('postgres://ada:a,b%40c@a:5432,[::1]:5433,c/db?sslmode=require')).toEqual([
      'postgres://ada:a,b%40c@a:5432/db?sslmode=require',
      'postgres://ada:a,b%40c@[::1]:5433/db?sslmode=require',
      'postgres://ada:a,b%40c@c/db?sslmode=require',
    ])
  })

  it.each(['postgres://ada:a,b@host/db?x=a,b', 'postgres:///db?host=/run/postgresql', 'postgres://[::1]:5432/db', ''])(
    'returns the text of a URL with one host as it is: %s',
    (url) => {
      expect(hostsOf(url)).toEqual([url])
    },
  )
})

it('finds the user of every form', () => {
  const urls = ['postgres://a%40b:x@h1,h2:1/db', 'postgres://ada@h/db', 'postgres://h1,h2/db', 'not a URL']
  expect(urls.map(userOf)).toEqual(['a@b', 'ada', '', ''])
})
