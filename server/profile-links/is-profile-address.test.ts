import { expect, it } from 'vitest'
import { isProfileAddress } from './is-profile-address.ts'

const isNoor = (address: string) =>
  isProfileAddress(new URL(address), 'https://ovation.example', {
    usernames: ['noor', 'noor-before'],
    domain: 'noor.example',
  })

it.each([
  'https://ovation.example/@noor',
  'https://ovation.example/@Noor/',
  'https://noor.example',
  'http://Noor.example/?from=blog#top',
  'https://ovation.example/profile/noor',
  'https://ovation.example/profile/noor?tab=about#top',
  'https://ovation.example/profile/noor-before',
  'http://ovation.example/@noor',
])('accepts %s', (address) => {
  expect(isNoor(address)).toBe(true)
})

it.each([
  'https://ovation.example/',
  'https://ovation.example/@mara',
  'https://ovation.example/profile/noor/feed.xml',
  'https://ovation.example/post/noor',
  'https://ovation.example:8443/@noor',
  'https://other.example/@noor',
  'https://noor.example/about',
  'https://noor.example:8443/',
  'https://www.noor.example/',
  'https://ovation.example/',
  'ftp://noor.example/',
  'https://other.example/?u=https://ovation.example/@noor',
  'ftp://ovation.example/@noor',
])('does not accept %s', (address) => {
  expect(isNoor(address)).toBe(false)
})
