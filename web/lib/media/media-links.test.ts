import { QueryClient } from '@tanstack/react-query'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { network } from '../../testing/network.ts'
import { setConfig } from '../api/config.ts'
import { captionsOf, fileOf, mediaLinksQuery, sized, streamOf } from './media-links.ts'

const stable = 'https://files.example/storage/v1/links/eyJh.b.c/object/posts/object/a%20b.mp4'
const plain = 'https://site.example/storage/v1/object/sign/posts/object/a%20b.mp4?token=t'
const marked = 'https://site.example/storage/v1/links/eyJh.b.c/render/image/posts/a.jpg'

it('asks for links that caches know again, and loads files from the CDN [SCALE-06]', async () => {
  onTestFinished(() => setConfig(testConfig))
  const preferences: (string | null)[] = []
  network.use(
    http.post('*/storage/v1/object/sign/posts', ({ request }) => {
      preferences.push(request.headers.get('prefer'))
      return HttpResponse.json([
        { path: 'a b.jpg', error: null, signedURL: '/links/t/object/posts/a b.jpg' },
        { path: 'gone.jpg', error: 'gone', signedURL: null },
      ])
    }),
  )
  const links = async () => [...(await new QueryClient().fetchQuery(mediaLinksQuery(['a b.jpg', 'gone.jpg'])))]
  const path = '/storage/v1/links/t/object/posts/a%20b.jpg'
  expect(await links()).toEqual([['a b.jpg', window.location.origin + path]])
  setConfig({ ...testConfig, filesUrl: 'https://files.example' })
  expect(await links()).toEqual([['a b.jpg', `https://files.example${path}`]])
  expect(preferences).toEqual(['stable-links', 'stable-links'])
})

it('opens what else there is of a file with either kind of link [SCALE-06, API-STO-17]', () => {
  const at = 'https://files.example/storage/v1/links/eyJh.b.c'
  expect(sized(stable, 480)).toBe(`${at}/render/image/posts/object/a%20b.mp4?width=480`)
  expect(streamOf(stable)).toBe(`${at}/render/video/posts/object/a%20b.mp4`)
  expect(captionsOf(stable, 'pt-BR').src).toBe(`${at}/render/captions/posts/object/a%20b.mp4?language=pt-BR`)
  const [start, end] = ['https://site.example/storage/v1', 'posts/object/a%20b.mp4?token=t']
  expect(sized(plain, 480)).toBe(`${start}/render/image/sign/${end}&width=480`)
  expect(streamOf(plain)).toBe(`${start}/render/video/sign/${end}`)
  expect(captionsOf(plain, 'en').src).toBe(`${start}/render/captions/sign/${end}&language=en`)
  expect(sized(marked, 480)).toBe(`${marked}?width=480`)
  expect([fileOf(stable), fileOf(plain)]).toEqual(['posts/object/a%20b.mp4', 'posts/object/a%20b.mp4'])
})
