import { expect, it } from 'vitest'
import { decodeForm } from './form.ts'

it('decodes nested names, numbered and unnumbered arrays', () => {
  expect(decodeForm('a=1&b[c][0][d]=2&b[c][1][d]=3&e[]=x&e[]=y%20z')).toEqual({
    a: '1',
    b: { c: { 0: { d: '2' }, 1: { d: '3' } } },
    e: { 0: 'x', 1: 'y z' },
  })
})

it.each(['a[b=1', 'a]=1', '[a]=1', 'a[b]c=1', '=1', 'a=1&a=2', 'a=1&a[b]=2', 'a[b]=1&a=2', `a${'[b]'.repeat(9)}=1`])(
  'refuses %s',
  (text) => {
    expect(() => decodeForm(text)).toThrow()
  },
)

it('takes a name that JavaScript gives a meaning as a plain name', () => {
  const decoded = decodeForm('__proto__[polluted]=yes&constructor=1')
  expect(Object.keys(decoded)).toEqual(['__proto__', 'constructor'])
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

it('refuses more fields than any request has', () => {
  expect(() => decodeForm(Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&'))).toThrow(
    'more than 1000',
  )
})
