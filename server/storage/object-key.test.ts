import { describe, expect, it } from 'vitest'
import { isObjectKey, requireBucketName } from './object-key.ts'

describe('object keys [API-STO-09]', () => {
  it.each([
    'a',
    '3f6c/1700000000-x1.jpg',
    "folder/It's (1) & more, @ 5+5=10; a:b?.png",
    'a/b/c/d.e.f',
    '...',
    'a..b/c',
  ])('takes %s', (key) => {
    expect(isObjectKey(key)).toBe(true)
  })

  it.each([
    ['an empty path', ''],
    ['the parent folder', '../secret'],
    ['a parent folder inside', 'a/../../b'],
    ['the folder itself', 'a/./b'],
    ['an empty segment', 'a//b'],
    ['a leading slash', '/a'],
    ['a trailing slash', 'a/'],
    ['a segment of blanks', 'a/ /b'],
    ['a backslash', 'a\\..\\b'],
    ['a zero byte', 'a\0b'],
    ['a line break', 'a\nb'],
    ['an encoded traversal that was not decoded', '%2e%2e/a'],
    ['a full-width dot', '．．/a'],
    ['a combining form', 'caf\u0065\u0301'],
    ['a right-to-left mark', 'a\u202egpj.exe'],
    ['more than 1024 characters', 'a'.repeat(1025)],
  ])('refuses %s', (_what, key) => {
    expect(isObjectKey(key)).toBe(false)
  })
})

describe('bucket names [API-STO-06]', () => {
  it.each(['', '..', 'a/b', ' a', 'a'.repeat(64), 'b\0'])('refuses %j', (name) => {
    expect(() => requireBucketName(name)).toThrow('Bucket name invalid')
  })
  it('takes a plain name', () => expect(requireBucketName('my-bucket.2')).toBe('my-bucket.2'))
})
