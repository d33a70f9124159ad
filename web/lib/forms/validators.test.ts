import { describe, expect, it } from 'vitest'
import { isUsername, isWebAddress, looksLikeEmail, normalizeUsername } from './validators.ts'

describe('usernames', () => {
  it('are lowercased, and white space is removed [AUTH-09]', () => {
    expect(normalizeUsername(' Ada  Love\tLace ')).toBe('adalovelace')
  })

  it('have 3 to 30 lowercase letters, digits, underscores and hyphens [AUTH-09]', () => {
    expect(['ada', 'a_d-4', 'a'.repeat(30)].map(isUsername)).toEqual([true, true, true])
    expect(['ad', 'a'.repeat(31), 'Ada', 'ada!', 'ädä', 'a.b'].map(isUsername)).toEqual(Array(6).fill(false))
  })
})

it('catches typos in an email address [AUTH-08]', () => {
  expect(['ada@example.com', ' ada@example.com '].map(looksLikeEmail)).toEqual([true, true])
  expect(['', 'ada', 'ada@', 'ada@example', 'a b@example.com'].map(looksLikeEmail)).toEqual(Array(5).fill(false))
})

it('accepts only http and https URLs [PROF-10]', () => {
  expect(['https://ada.example', 'http://a.b/c?d'].map(isWebAddress)).toEqual([true, true])
  expect(['ada.example', 'javascript:alert(1)', 'https://', 'ftp://a.b', ''].map(isWebAddress)).toEqual(
    Array(5).fill(false),
  )
})
