import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { givenTexts as texts } from '@ovation/contract/texts/gifts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { siteOrigin } from '../../lib/api/api-url.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { copyText } from '../accounts/copy-text.ts'
import classes from './given-gifts.module.css'
import { type GivenGift, givenGiftsKey, givenGiftsQuery } from './queries.ts'

/** The gifts that the viewer has given: their links, and sending them again or taking them back (OFFER-02). Nothing without any. */
export function GivenGifts() {
  const gifts = useInfiniteQuery(givenGiftsQuery())
  const rows = gifts.data?.pages.flat()
  if (rows?.length === 0) return null
  return (
    <section aria-labelledby="given-gifts" className={classes.section}>
      <Title order={2} id="given-gifts" className={classes.heading}>
        {texts.title}
      </Title>
      <PagedList
        query={gifts}
        rows={rows}
        pending={<ListSkeleton rows={1} />}
        failed={{ title: texts.loadFailed }}
        moreFailed={texts.moreFailed}
      >
        {(shown, more) => (
          <>
            <ul className={classes.list}>
              {shown.map((gift) => (
                <GiftRow key={gift.id} gift={gift} />
              ))}
            </ul>
            {more}
          </>
        )}
      </PagedList>
    </section>
  )
}

function GiftRow({ gift }: { gift: GivenGift }) {
  const name = texts.gift(gift.months, gift.plan_name)
  const recipient = gift.recipient ?? gift.recipient_email
  return (
    <li className={`surface ${classes.row}`} {...useKeptFocus()}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3 dir="auto">{name}</h3>
          <Badge variant="light" color={gift.state === 'open' ? 'yellow' : gift.state === 'redeemed' ? 'teal' : 'gray'}>
            {texts.states[gift.state]}
          </Badge>
        </div>
        <p className="facts">
          <span dir="auto">{texts.by(gift.creator_name || gift.creator_username)}</span>
          <span dir="auto">{recipient ? texts.to(recipient) : texts.toNobody}</span>
          <span>{formatCents(gift.amount_cents)}</span>
        </p>
        <Text c="dimmed" size="sm">
          {whenOf(gift)}
        </Text>
      </div>
      {gift.code && <GiftActions gift={gift} code={gift.code} name={name} />}
    </li>
  )
}

function whenOf({ state, sent_at, sends_at, redeemed_at, expires_at, created_at }: GivenGift): string {
  if (redeemed_at) return texts.redeemedOn(formatDate(redeemed_at))
  if (state !== 'open') return formatDate(created_at)
  const delivery =
    sends_at === null
      ? sent_at && texts.delivered(formatDate(sent_at))
      : Date.parse(sends_at) > Date.now() + 3_600_000
        ? texts.delivers(formatDate(sends_at))
        : texts.delivering
  return [delivery, texts.until(formatDate(expires_at))].filter(Boolean).join(' · ')
}

function GiftActions({ gift, code, name }: { gift: GivenGift; code: string; name: string }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: async (how: 'send_gift_again' | 'take_back_gift') =>
      void (await supabase.rpc(how, { gift_id: gift.id }).throwOnError()),
    onSuccess: (_, how) => toast.success(how === 'take_back_gift' ? texts.takenBack : texts.sentAgain),
    onError: (error) => toast.error(error.message, texts.failed),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: givenGiftsKey })
      setAsking(false)
    },
  })
  const doing = change.isPending ? change.variables : undefined
  return (
    <Group gap="xs" className={classes.actions}>
      <Button
        variant="light"
        onClick={() => void copyText(`${siteOrigin()}${paths.gift(code)}`, texts.copied)}
        aria-label={texts.copyNamed(name)}
      >
        {texts.copy}
      </Button>
      {gift.sends_at === null && (
        <Button
          variant="default"
          loading={doing === 'send_gift_again'}
          onClick={() => change.mutate('send_gift_again')}
          aria-label={texts.againNamed(name)}
        >
          {texts.again}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsking(true)} aria-label={texts.takeBackNamed(name)}>
        {texts.takeBack}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.dialog.title}
          message={texts.dialog.message(formatCents(gift.amount_cents))}
          confirmLabel={texts.dialog.confirm}
          keepLabel={texts.dialog.keep}
          pending={doing === 'take_back_gift'}
          onConfirm={() => change.mutate('take_back_gift')}
          onClose={() => setAsking(false)}
        />
      )}
    </Group>
  )
}
