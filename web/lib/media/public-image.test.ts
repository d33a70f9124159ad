import { expect, it, onTestFinished } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { setConfig } from '../api/config.ts'
import { postCover, publicImage, publicImagePath, smallImage } from './public-image.ts'

it('loads pictures from the current host, whatever host was stored, and reloads a changed one [API-STO-04]', () => {
  const path = '/storage/v1/object/public/avatars/a/1.jpg'
  expect(publicImage(path)).toBe(path)
  expect(publicImage(`https://old.example${path}`, '2026-01-01T00:00:00+00:00')).toBe(
    `${path}?v=2026-01-01T00%3A00%3A00%2B00%3A00`,
  )
})

it.each([null, 'https://elsewhere.example/pixel.gif', 'javascript:alert(1)', 'http://['])(
  'asks nobody else: %j',
  (url) => {
    expect(publicImage(url)).toBeNull()
  },
)

it('loads a small avatar beside a name [API-STO-17]', () => {
  const small = '/storage/v1/render/image/public/avatars/a/1.jpg?width=144&height=144'
  expect(smallImage('/storage/v1/object/public/avatars/a/1.jpg')).toBe(small)
  expect(smallImage('/storage/v1/object/public/avatars/a/1.jpg?v=7')).toBe(`${small}&v=7`)
  expect(smallImage('blob:https://here/1')).toBe('blob:https://here/1')
})

it('loads pictures from the CDN, if there is one, and stores them without it [SCALE-06]', () => {
  onTestFinished(() => setConfig(testConfig))
  setConfig({ ...testConfig, filesUrl: 'https://files.example' })
  const path = '/storage/v1/object/public/avatars/a/1.jpg'
  const image = publicImage(`https://old.example${path}`, '7') ?? ''
  expect(image).toBe(`https://files.example${path}?v=7`)
  expect(smallImage(image)).toBe(
    'https://files.example/storage/v1/render/image/public/avatars/a/1.jpg?width=144&height=144&v=7',
  )
  expect(postCover('a/1.jpg', 640)).toBe(
    'https://files.example/storage/v1/render/image/public/covers/a/1.jpg?width=640',
  )
  expect(publicImage('https://files.example/pixel.gif')).toBeNull()
  expect(publicImagePath(image)).toBe(`${path}?v=7`)
})
