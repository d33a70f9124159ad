import { expect, it } from 'vitest'
import { websiteName } from './website-name.ts'

it.each([
  ['https://www.noor.example/', 'noor.example'],
  ['HTTP://noor.example/Prints?size=30#top', 'noor.example/Prints?size=30#top'],
  // The mark would show "gpj.exe".
  ['https://noor.example/\u202Eexe.jpg', 'noor.example/%E2%80%AEexe.jpg'],
  ['https://аpple.com', 'xn--pple-43d.com'],
])('shows the website %s as %s [PROF-10, LOOP-13]', (url, name) => expect(websiteName(url)).toBe(name))

it('shows nothing of a website that is no URL', () => expect(websiteName('https://\u202Ea b')).toBeNull())
