import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { buildQueryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

it('what is sent without a connection fails at once, so that a form says so and opens again', async () => {
  onlineManager.setOnline(false)
  const mutationFn = () => Promise.reject(new TypeError('Failed to fetch'))
  const sending = new MutationObserver(buildQueryClient(), { mutationFn })
  await expect(sending.mutate()).rejects.toThrow('Failed to fetch')
})
