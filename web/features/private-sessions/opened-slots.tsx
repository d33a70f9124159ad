import { ActionIcon, Badge, Text } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Slot, timesKey } from '../../domain/private-sessions/availability-queries.ts'
import type { Offer } from '../../domain/private-sessions/offer-queries.ts'
import classes from '../../domain/private-sessions/sessions.module.css'
import { byDay, dayOf, momentOf, spanOf } from '../../domain/private-sessions/times.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'

const texts = sessionTexts.slots

/** Times that the creator opened one by one, with another client of the API. They can be booked until they are removed. */
export function OpenedSlots({ slots, offers }: { slots: Slot[]; offers: Offer[] }) {
  return (
    <section {...useKeptFocus<HTMLElement>()} className={classes.days} aria-labelledby="opened-slots">
      <div>
        <h2 id="opened-slots" className={classes.heading}>
          {texts.title}
        </h2>
        <p className={classes.secondary}>{texts.hint}</p>
      </div>
      {byDay(slots).map(({ date, rows }) => (
        <div key={date} className={classes.day}>
          <h3 className={classes.date}>{rows[0] && dayOf(rows[0].starts_at)}</h3>
          <ul className={`surface ${classes.slots}`}>
            {rows.map((slot) => (
              <SlotRow key={slot.id} slot={slot} title={offers.find(({ id }) => id === slot.offer_id)?.title} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function SlotRow({ slot, title }: { slot: Slot; title: string | undefined }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('session_slots').delete().eq('id', slot.id).throwOnError()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.removeFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: timesKey }),
  })
  const state = stateOf(slot)
  return (
    <li className={classes.slot}>
      <span className={classes.text}>
        <time dateTime={slot.starts_at}>{spanOf(slot.starts_at, slot.ends_at)}</time>
        {title && (
          <Text span size="sm" c="dimmed" display="block">
            {title}
          </Text>
        )}
      </span>
      <Badge
        variant="light"
        color={state === 'free' ? 'gray' : state === 'held' ? 'yellow' : 'teal'}
        className={classes.badge}
        data-state={state === 'booked' ? 'accepted' : state}
      >
        {texts[state]}
      </Badge>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.removeNamed(momentOf(slot.starts_at))}
        title={texts.remove}
        onClick={() => remove.mutate()}
        loading={remove.isPending}
        disabled={state !== 'free'}
      >
        <IconTrash size={18} stroke={1.6} />
      </ActionIcon>
    </li>
  )
}

/** `held_until` is when a hold ends, or `infinity` once the slot is booked. */
function stateOf({ held_until }: Slot): 'free' | 'held' | 'booked' {
  if (held_until === 'infinity') return 'booked'
  return Date.parse(held_until) > Date.now() ? 'held' : 'free' // -infinity isn't a valid date, so it is free
}
