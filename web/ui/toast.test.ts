import { notificationsStore } from '@mantine/notifications'
import { expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
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
  'a toast stays for 4 to 6 seconds, as long as its words take to read: %s [POST-34, CONST-02]',
  async (message, ms) => {
    const words = ['1', '2', '3'].map((n) => `${n}${message.slice(1)}`) // equal texts would be one toast
    for (const [n, say] of [toast.error, toast.success, toast.info].entries()) say(words[n] ?? '')
    const times = () => shown().flatMap((one) => (words.includes(String(one.message)) ? [one.autoClose] : []))
    // A failure stays for the whole time.
    await eventually(() => expect(times()).toEqual([6000, ms, ms]))
  },
)
