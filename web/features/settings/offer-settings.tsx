import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  hasMuted,
  type MutedOffers,
  muteAllOffers,
  mutedOffersQuery,
  muteOffers,
} from '../../domain/mass-messages/muted-offers.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { Section } from './section.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import classes from './settings.module.css'

const texts = massMessageTexts.mute.settings

/** Which offers the viewer has muted (MASS-05). */
export function OfferSettings() {
  const muted = useQuery(mutedOffersQuery())
  return (
    <Section title={texts.title} message={texts.message}>
      {muted.data ? (
        <Choices muted={muted.data} />
      ) : muted.isError ? (
        <LoadFailed title={texts.loadFailed} of={muted} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Section>
  )
}

function Choices({ muted }: { muted: MutedOffers[] }) {
  const queryClient = useQueryClient()
  const creators = muted.filter(({ creator_id }) => creator_id !== null)
  return (
    <>
      <div className={classes.body}>
        <SettingSwitch
          label={texts.all}
          checked={hasMuted(muted, null)}
          onChange={(isMuted) => void muteAllOffers(queryClient, isMuted)}
        />
      </div>
      {creators.length > 0 && (
        <>
          <h3 className={classes.subtitle}>{texts.muted}</h3>
          <ul className={classes.rows}>
            {creators.map((creator) => (
              <MutedCreator key={creator.creator_id} creator={creator} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function MutedCreator({ creator }: { creator: MutedOffers }) {
  const queryClient = useQueryClient()
  const { creator_id, username, avatar_url, updated_at } = creator
  const name = nameOf(creator)
  return (
    <li className={classes.row}>
      <Link to={paths.profile(username ?? '')} className={classes.person}>
        <ProfileAvatar name={name} src={publicImage(avatar_url, updated_at ?? '')} size={40} />
        <span dir="auto">{name}</span>
      </Link>
      <Button
        variant="default"
        aria-label={texts.unmuteNamed(name)}
        onClick={() => void muteOffers(queryClient, { id: creator_id ?? '', name }, false)}
      >
        {texts.unmute}
      </Button>
    </li>
  )
}
