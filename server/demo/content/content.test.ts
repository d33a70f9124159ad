import { readdirSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { demoReports, demoRequests } from './admin-inbox.ts'
import { demoConversations, firstConversation } from './conversations.ts'
import { demoCreators } from './creators/index.ts'
import { demoAdmin, demoApplicant, demoCrowd, demoFans, demoVoices } from './fans.ts'

const folder = new URL('../pictures/', import.meta.url)
const files = readdirSync(folder).map((file) => file.replace('.webp', ''))
const posts = demoCreators.flatMap(({ posts }) => posts)
const users = [demoAdmin, demoApplicant, ...demoCreators, ...demoFans, ...demoVoices, ...demoCrowd]
const usernames = users.map(({ username }) => username)

it('has a picture for every post, face, and cover, and none that nobody uses', () => {
  const faces = [demoAdmin, demoApplicant, ...demoCreators, ...demoFans, ...demoVoices]
  const used = [
    ...posts.flatMap(({ pictures = [] }) => pictures),
    ...firstConversation.messages.flatMap(({ picture }) => (picture ? [picture] : [])),
    ...faces.map(({ username }) => `face-${username}`),
    ...demoCreators.map(({ username }) => `${username}-cover`),
  ]
  expect(used.toSorted()).toEqual(files.toSorted())
})

it('keeps its pictures small enough for a repository', () => {
  const bytes = files.map((file) => statSync(new URL(`${file}.webp`, folder)).size)
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(4_000_000)
})

it('gives everybody a name of their own, and lets only people of the demo speak', () => {
  expect(new Set(usernames).size).toBe(usernames.length)
  const speakers = [
    ...posts.flatMap(({ comments = [] }) => comments.map(([who]) => who)),
    ...demoConversations.flatMap(({ between }) => between),
    ...[...demoRequests, ...demoReports].map(({ who }) => who),
  ]
  expect(speakers.filter((who) => !usernames.includes(who))).toEqual([])
})

it('sells what exists: each audience is a plan of its creator or a price', () => {
  for (const { username, plans, posts } of demoCreators)
    for (const { audience } of posts)
      if (typeof audience === 'string')
        expect(
          plans.map(({ name }) => name),
          username,
        ).toContain(audience)
})

it('features what exists: a post of the creator, which visitors can read', () => {
  const pages = demoCreators.filter(({ page }) => page)
  expect(pages.length).toBeGreaterThan(1)
  for (const { username, page, posts } of pages) {
    const featured = posts.filter(({ title }) => title === page?.featured)
    expect(
      featured.map(({ audience = 'free' }) => audience),
      username,
    ).toEqual(['free'])
  }
})

it('sells products that have pictures, and a fan buys one of them', () => {
  const products = demoCreators.flatMap(({ products = [] }) => products)
  const pictures = products.flatMap(({ cover, files }) => [
    cover,
    ...files.flatMap((file) => ('pages' in file ? file.pages : [])),
  ])
  for (const picture of pictures) expect(files).toContain(picture)
  const titles = products.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  for (const fan of demoFans) if ('buys' in fan) expect(titles).toContain(fan.buys)
})

it('finds posts by their content', () => {
  const contents = posts.map(({ content }) => content)
  expect(new Set(contents).size).toBe(contents.length)
})

it('reports comments that were written', () => {
  const comments = posts.flatMap(({ comments = [] }) => comments.map(([, text]) => text))
  for (const { comment } of demoReports) expect(comments).toContain(comment)
})
