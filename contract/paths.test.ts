import { describe, expect, it } from 'vitest'
import { paths, safeReturnPath } from './paths.ts'

describe('safeReturnPath', () => {
  it('brings a person back to the screen they came from [AUTH-18]', () => {
    expect(safeReturnPath('/post/7?from=feed')).toBe('/post/7?from=feed')
  })

  it.each([
    null,
    '',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    '/\n/elsewhere.example',
    '\t//elsewhere.example',
    'javascript:alert(1)',
  ])('refuses %j, which leads away from this site [AUTH-18]', (next) => {
    expect(safeReturnPath(next)).toBe(paths.home)
  })

  it('does not return to the sign-in screen itself [AUTH-18]', () => {
    expect(safeReturnPath('/auth?next=/auth')).toBe(paths.home)
  })
})
