import { Button, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { giftTexts as texts } from '@ovation/contract/texts/gifts'
import { IconGift } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { useAskToSignIn } from '../../domain/accounts/use-ask-to-sign-in.ts'
import { type Gift, giftKey, giftQuery } from '../../domain/gifts/queries.ts'
import { subscriptionsKey } from '../../domain/subscriptions/plan-queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { formatDate } from '../../lib/format/format-date.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './gift-screen.module.css'

/** `/gift/{code}`: what the gift is, and its redemption, for everyone who has the link (OFFER-02, OFFER-03). */
export function GiftScreen() {
  const { code = '' } = useParams()
  const gift = useQuery(giftQuery(code))
  const heading = gift.data?.giver_name ? texts.from(gift.data.giver_name) : texts.title
  return (
    <Page title={texts.title} heading={gift.data ? heading : null} width="narrow">
      {gift.isPending && <ListSkeleton rows={1} shape="card" />}
      {gift.isError && <LoadFailed title={texts.loadFailed} of={gift} />}
      {gift.data === null && <EmptyState icon={<IconGift size={26} stroke={1.5} />} {...texts.missing} order={1} />}
      {gift.data && <OpenGift gift={gift.data} code={code} />}
    </Page>
  )
}

function OpenGift({ gift, code }: { gift: Gift; code: string }) {
  const name = gift.creator_name || gift.creator_username
  return (
    <article className={`surface ${classes.gift}`} {...useKeptFocus()}>
      <ProfileAvatar name={name} src={publicImage(gift.creator_avatar_url, gift.creator_updated_at)} size={72} />
      <h2 className={classes.what} dir="auto">
        {texts.gift(gift.months, gift.plan_name)}
      </h2>
      <Text c="dimmed" dir="auto">
        {texts.by(name)}
      </Text>
      {gift.message && (
        <blockquote className={classes.message} dir="auto">
          {gift.message}
        </blockquote>
      )}
      <Next gift={gift} code={code} name={name} />
    </article>
  )
}

/** The button that redeems it, or why it can't be redeemed. */
function Next({ gift, code, name }: { gift: Gift; code: string; name: string }) {
  const { user } = useSession()
  const askToSignIn = useAskToSignIn()
  const queryClient = useQueryClient()
  const redeem = useMutation({
    mutationFn: async () => void (await supabase.rpc('redeem_gift', { code }).throwOnError()),
    onSuccess: () => {
      toast.joy(texts.redeemed(name))
      void queryClient.invalidateQueries({ queryKey: subscriptionsKey })
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
    },
    onError: (error) => toast.error(error.message, texts.failed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: giftKey }),
  })
  if (gift.state === 'open')
    return (
      <>
        <Text c="dimmed" size="sm">
          {texts.terms} {texts.until(formatDate(gift.expires_at))}
        </Text>
        {user ? (
          <Button size="md" loading={redeem.isPending} onClick={() => redeem.mutate()}>
            {texts.redeem}
          </Button>
        ) : (
          <Button size="md" onClick={() => askToSignIn()}>
            {texts.signIn}
          </Button>
        )}
      </>
    )
  return (
    <>
      <p role="status">{texts.states[gift.state]}</p>
      {gift.state !== 'unavailable' && (
        <Button component={Link} to={paths.profile(gift.creator_username)} variant="default">
          {texts.open(name)}
        </Button>
      )}
    </>
  )
}
