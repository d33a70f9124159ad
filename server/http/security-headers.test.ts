import { describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { helmetOptions } from './helmet-options.ts'
import { collectHeaders } from './security-headers.ts'

describe('the headers of pages', () => {
  const headersOf = (env: Record<string, string>) => collectHeaders(helmetOptions(parseConfig(env)))

  it('allow scripts to connect only to their own origin', () => {
    const policy = headersOf({ SITE_URL: 'https://creators.example' })['content-security-policy']
    expect(policy).toContain("connect-src 'self' wss://creators.example;")
    const local = headersOf({})['content-security-policy']
    expect(local).toContain("connect-src 'self' ws://127.0.0.1:* ws://localhost:*;")
  })

  it('load files, and streams of videos, from a CDN too, and from no other origin [SCALE-06]', () => {
    const site = { SITE_URL: 'https://creators.example' }
    const policy = headersOf({ ...site, FILES_URL: 'https://files.example' })['content-security-policy']?.split(';')
    const without = headersOf(site)['content-security-policy']?.split(';')
    expect(policy?.filter((directive) => !without?.includes(directive))).toEqual([
      "img-src 'self' data: blob: https://files.example",
      "media-src 'self' blob: https://files.example",
      "connect-src 'self' wss://creators.example https://files.example",
    ])
  })

  it('allow inline styles, which Mantine sets, but no script and no style of another origin, and no inline script', () => {
    const policy = headersOf({ SITE_URL: 'https://creators.example' })['content-security-policy']?.split(';')
    expect(policy).toContain("style-src 'self' 'unsafe-inline'")
    expect(policy).toContain("script-src 'self'")
    expect(policy?.filter((directive) => /^(?:style|script)-src-(?:attr|elem)/.test(directive))).toEqual([])
  })

  it.each([undefined, 'http://[::1]:8000'])(
    'name no IPv6 address, which browsers reject in a policy: SITE_URL %s',
    (siteUrl) => {
      expect(headersOf(siteUrl ? { SITE_URL: siteUrl } : {})['content-security-policy']).not.toContain('[')
    },
  )

  it('forbid framing for old and new browsers', () => {
    const headers = headersOf({})
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })
})
