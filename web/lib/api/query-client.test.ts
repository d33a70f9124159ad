import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { buildQueryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

it('mutations fail at once without a connection, so that the form shows it and can be sent again', async () => {
  onlineManager.setOnline(false)
  const mutationFn = () => Promise.reject(new TypeError('Failed to fetch'))
  const sending = new MutationObserver(buildQueryClient(), { mutationFn })
  await expect(sending.mutate()).rejects.toThrow('Failed to fetch')
})
