import { UNSAFE_createMemoryHistory as createMemoryHistory } from 'react-router'
import { expect, it } from 'vitest'
import { buildQueryClient } from '../lib/query-client.ts'
import { viewerKey } from '../lib/viewer.ts'
import { signIn, viewerProfile } from '../testing/sign-in.ts'
import { beforeFirstDrawing } from './first-drawing.ts'
import { createRouter } from './router.ts'

const asked = ['asked by the loader']
const never = new Promise<never>(() => undefined)

/** A router on the way to its only screen, whose loader asks this and does not wait for it. */
function openScreen(answer: () => Promise<string>) {
  const queryClient = buildQueryClient()
  const loader = () => void queryClient.prefetchQuery({ queryKey: asked, queryFn: answer })
  const screens = [{ path: '*', load: async () => ({ Component: () => null, loader }) }]
  const router = createRouter({ history: createMemoryHistory(), screens, queryClient })
  return { queryClient, router }
}

it('waits for the first screen, for what its loader asks, and for the viewer', async () => {
  signIn()
  const { router, queryClient } = openScreen(async () => 'an answer')
  await beforeFirstDrawing(router, queryClient)
  expect(router.state.matches).toHaveLength(1)
  expect(queryClient.getQueryData(asked)).toBe('an answer')
  expect(queryClient.getQueryData([...viewerKey, viewerProfile.user_id])).toMatchObject({ username: 'ada' })
})

it('does not wait for an answer that takes longer than a moment', async () => {
  const { router, queryClient } = openScreen(() => never)
  await beforeFirstDrawing(router, queryClient)
  expect(router.state.matches).toHaveLength(1)
  expect(queryClient.isFetching()).toBe(1)
})

it('draws what there is where an answer is a refusal', async () => {
  const { router, queryClient } = openScreen(() => Promise.reject(new Error('no')))
  await beforeFirstDrawing(router, queryClient)
  expect(queryClient.getQueryState(asked)?.status).toBe('error')
})
