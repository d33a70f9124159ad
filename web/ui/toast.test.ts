import { notificationsStore } from '@mantine/notifications'
import { expect, it, vi } from 'vitest'
import { toast } from './toast.ts'

const shown = () => {
  const { notifications, queue } = notificationsStore.getState()
  return [...notifications, ...queue]
}

it.each([
  ['Gone', 4000],
  ['Upload incomplete: 3/4 files uploaded. Please try the rest again.', 4620],
  ['Long words of a server that has much to say. '.repeat(10), 6000],
])(
  'an error stays for 4 to 6 seconds, as long as its words take to read: %s [POST-34, CONST-02]',
  async (message, ms) => {
    toast.error(message)
    await vi.waitFor(() => expect(shown().find((one) => one.message === message)?.autoClose).toBe(ms), 15_000)
  },
)
