import { Badge, Button, Skeleton, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { payingTexts } from '@ovation/contract/texts/paying'
import { profileTexts } from '@ovation/contract/texts/profile'
import { IconGift, IconLock, IconMessageCircle, IconPencil, IconShare3 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { joinToMessage } from '../../domain/accounts/join-to-message.ts'
import { useBlocked } from '../../domain/blocks/use-block.ts'
import type { Accent } from '../../domain/creators/accent.ts'
import { FollowButton, FollowPlaceholder } from '../../domain/follows/follow-button.tsx'
import { GiveTip } from '../../domain/payments/give-tip.tsx'
import { addressOf, nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ProfileAvatar, toneOf } from '../../ui/profile-avatar.tsx'
import { share } from '../../ui/share.ts'
import tones from '../../ui/tone.module.css'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './profile-head.module.css'
import { ProfileStats } from './profile-stats.tsx'
import { type Profile, profileQuery, suspensionQuery } from './queries.ts'
import type { Offer } from './use-offer.ts'

const ProfileRing = lazy(() =>
  import('../../domain/stories/profile-stories.tsx').then((module) => ({ default: module.ProfileRing })),
)
const ProfileHighlights = lazy(() =>
  import('../../domain/stories/profile-stories.tsx').then((module) => ({ default: module.ProfileHighlights })),
)
const FollowBell = lazy(() => import('../../domain/follows/follow-bell.tsx'))
const UnblockButton = lazy(() => import('../../domain/blocks/unblock-button.tsx'))
const ProfileOffer = lazy(() => import('./profile-offer.tsx'))
const ProfileLinks = lazy(() => import('./profile-links.tsx'))
const ProfileGoals = lazy(() => import('../../domain/goals/profile-goals.tsx'))
const ProfileWelcome = lazy(() => import('./profile-welcome.tsx'))
const ProfileMenu = lazy(() => import('./profile-menu.tsx'))
const ProfileEditor = lazy(() => import('./profile-editor.tsx'))
const SuspensionNote = lazy(() => import('../../domain/suspension/suspension-note.tsx'))
const MessageBox = lazy(() => import('../../domain/messages/message-box.tsx'))
const ProfileNotice = lazy(() =>
  import('../../domain/messages/message-notice.tsx').then((module) => ({ default: module.ProfileNotice })),
)

type Props = {
  profile: Profile /** The profile's segment of the URL. */
  address: string
  own: boolean
  offer: Offer
  isPhone: boolean
  /** Whether the plans' tab is open. */
  showsPlans: boolean
  accent: Accent
}

/** PROF-04..PROF-08, LOOP-05 */
export function ProfileHead({ profile, address, own, offer, isPhone, showsPlans, accent }: Props) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  // Others see a private profile.
  const { data: suspension } = useQuery({
    ...suspensionQuery(profile.id),
    enabled: viewer?.isAdmin === true && !own && profile.is_private,
  })
  const blocked = useBlocked(profile.id)
  // A user who is blocked or suspended can't be followed, paid, or messaged.
  const reachable = !suspension && !blocked
  const place = useKeptFocus()
  const name = nameOf(profile)
  const cover = publicImage(profile.cover_url, profile.updated_at)
  const { layout } = profile
  const portrait = (
    <ProfileAvatar name={name} src={publicImage(profile.avatar_url, profile.updated_at)} size="var(--size)" />
  )

  const countFollower = (change: 1 | -1) =>
    queryClient.setQueryData(profileQuery(address).queryKey, (known) =>
      known ? { ...known, followers_count: Math.max(0, known.followers_count + change) } : known,
    )

  return (
    <header
      className={`${classes.head} ${accent.className ?? ''}`}
      style={accent.style}
      // Without plans and links, the rail at the right would be empty (LOOP-19).
      data-no-rail={profile.is_verified || profile.website_url ? undefined : true}
    >
      {cover ? (
        <div className={classes.banner}>
          <img src={cover} alt="" fetchPriority="high" />
        </div>
      ) : (
        <div className={`${classes.band} ${tones.tone}`} data-tone={toneOf(name)} />
      )}
      <div className={classes.row}>
        <div className={classes.avatar}>
          {profile.is_verified && profile.username ? (
            <Suspense fallback={portrait}>
              <ProfileRing creatorId={profile.id} username={profile.username} name={name}>
                {portrait}
              </ProfileRing>
            </Suspense>
          ) : (
            portrait
          )}
        </div>
        <div className={classes.buttons} {...place}>
          <Button
            variant="default"
            className={own ? undefined : 'compact'}
            leftSection={<IconShare3 size={18} stroke={1.6} />}
            onClick={() => void share({ title: name, path: paths.profile(addressOf(profile)) })}
          >
            {profileTexts.share}
          </Button>
          {own ? (
            <Button
              variant="default"
              leftSection={<IconPencil size={18} stroke={1.6} />}
              onClick={() => setEditing(true)}
            >
              {profileTexts.edit}
            </Button>
          ) : (
            <>
              {profile.is_verified && reachable && (
                <GiveTip target={{ creatorId: profile.id, name }}>
                  {(open) => (
                    <Button
                      variant="default"
                      className="compact"
                      leftSection={<IconGift size={18} stroke={1.6} />}
                      onClick={open}
                    >
                      {payingTexts.tip.open}
                    </Button>
                  )}
                </GiveTip>
              )}
              {viewer !== undefined && reachable && (
                <Button
                  component={Link}
                  to={viewer ? paths.conversation(addressOf(profile)) : joinToMessage(profile)}
                  variant="default"
                  className="compact"
                  leftSection={<IconMessageCircle size={18} stroke={1.6} />}
                >
                  {profileTexts.message}
                </Button>
              )}
              {reachable && (
                <div className={classes.follow}>
                  {blocked === undefined ? (
                    <FollowPlaceholder />
                  ) : (
                    <FollowButton
                      profileId={profile.id}
                      name={name}
                      onChange={countFollower}
                      secondary={offer.state !== 'none'}
                    />
                  )}
                </div>
              )}
              {viewer && reachable && profile.is_creator && (
                <Suspense>
                  <FollowBell viewerId={viewer.profileId} creatorId={profile.id} name={name} />
                </Suspense>
              )}
              {blocked && (
                <div className={classes.follow}>
                  <Suspense fallback={<FollowPlaceholder />}>
                    <UnblockButton profileId={profile.id} name={name} />
                  </Suspense>
                </div>
              )}
              <Suspense fallback={<span className={classes.menuPlace} />}>
                <ProfileMenu profile={profile} offer={offer} />
              </Suspense>
            </>
          )}
        </div>
      </div>
      <div className={classes.nameLine}>
        <Title order={1} className={classes.name} dir="auto">
          {name}
        </Title>
        {/* Spaces, not margins: none remains at the start of a line or on the wrong side of a right-to-left name. */}
        {profile.is_verified && (
          <>
            {' '}
            <VerifiedBadge size={22} />{' '}
            <Badge variant="light" color="gray" tt="none">
              {profileTexts.creator}
            </Badge>
          </>
        )}
      </div>
      {profile.username && <p className={classes.handle}>@{profile.username}</p>}
      {profile.bio && (
        <p className={classes.bio} dir="auto">
          <LinkedText text={profile.bio} />
        </p>
      )}
      {(profile.website_url || profile.links.length > 0) && (
        // As high as one line, which is what most creators have.
        <Suspense fallback={<p className={classes.website}>&nbsp;</p>}>
          <ProfileLinks website={profile.website_url} links={profile.links} />
        </Suspense>
      )}
      {profile.is_private && !own && !viewer?.isAdmin && (
        <p className={classes.private}>
          <IconLock size={18} stroke={1.6} aria-hidden="true" />
          {profileTexts.private}
        </p>
      )}
      {suspension && (
        <Suspense>
          <SuspensionNote since={suspension.since} reason={suspension.reason} />
        </Suspense>
      )}
      {!suspension && offer.state !== 'none' && (
        <Suspense fallback={<Skeleton className={classes.offer ?? ''} radius="lg" />}>
          <ProfileOffer offer={offer} address={addressOf(profile)} withButton={!isPhone} showsPlans={showsPlans} />
        </Suspense>
      )}
      <ProfileStats profile={profile} own={own} />
      {profile.is_verified && profile.username && !suspension && (
        <Suspense>
          <ProfileHighlights creatorId={profile.id} username={profile.username} own={own} />
        </Suspense>
      )}
      {profile.goals.length > 0 && (
        <Suspense fallback={<Skeleton height={profile.goals.length * 120} radius="lg" mb="md" />}>
          <ProfileGoals creatorId={profile.id} name={name} mayTip={!own && profile.is_verified && reachable} />
        </Suspense>
      )}
      {!own && viewer !== undefined && !suspension && blocked === false && profile.is_verified && (
        <Suspense>
          <ProfileNotice creatorId={profile.id} name={name} />
        </Suspense>
      )}
      {viewer && !own && !suspension && (
        <Suspense fallback={<Skeleton height={42} mb="md" />}>
          <MessageBox key={profile.id} viewer={viewer} person={profile} />
        </Suspense>
      )}
      {layout && (layout.welcome_text || layout.welcome_post_id) && !own && offer.state !== 'subscribed' && (
        <Suspense>
          <ProfileWelcome profileId={profile.id} name={name} layout={layout} />
        </Suspense>
      )}
      {editing && (
        <Suspense>
          <ProfileEditor profile={profile} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </header>
  )
}
