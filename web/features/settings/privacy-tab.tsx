import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { supabase } from '../../lib/api/supabase.ts'
import { addressOf, nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { Segments } from '../../ui/segments.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { type Blocked, blockedQuery } from './blocked-query.ts'
import { ForSettings } from './for-settings.tsx'
import { Section } from './section.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import classes from './settings.module.css'

const MessageSettings = lazy(() => import('./message-settings.tsx'))

const texts = settingsTexts.privacy

/** SET-18..SET-20, FIND-02: enforced in the database (0007_profiles.sql, 0054_public_pages.sql), shown here. */
export default function PrivacyTab({ viewer }: { viewer: Viewer }) {
  return (
    <div className={classes.sections}>
      <Section title={settingsTexts.tabs.privacy}>
        <ForSettings profileId={viewer.profileId}>
          {({ privacy }, save) => (
            <div className={classes.body}>
              <div className={classes.row}>
                <div className={classes.rowWords}>
                  <div className={classes.rowTitle} id="profile-visibility">
                    {texts.visibility}
                  </div>
                  <p className={classes.rowDetail}>{texts.visibilityHint}</p>
                </div>
                <Segments
                  aria-labelledby="profile-visibility"
                  value={privacy.profileVisibility}
                  onChange={(value) => save({ privacy: { profileVisibility: value } })}
                  data={[
                    { value: 'public', label: texts.public },
                    { value: 'private', label: texts.private },
                  ]}
                />
              </div>
              <SettingSwitch
                label={texts.onlineStatus}
                hint={texts.onlineStatusHint}
                checked={privacy.showOnlineStatus}
                onChange={(showOnlineStatus) => save({ privacy: { showOnlineStatus } })}
              />
              <SettingSwitch
                label={texts.directMessages}
                hint={texts.directMessagesHint}
                checked={privacy.allowDirectMessages}
                onChange={(allowDirectMessages) => save({ privacy: { allowDirectMessages } })}
              />
              <SettingSwitch
                label={texts.searchEngines}
                hint={texts.searchEnginesHint}
                checked={privacy.allowSearchEngines}
                onChange={(allowSearchEngines) => save({ privacy: { allowSearchEngines } })}
              />
            </div>
          )}
        </ForSettings>
      </Section>
      {viewer.mayPublish && (
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <MessageSettings profileId={viewer.profileId} />
        </Suspense>
      )}
      <BlockedPeople profileId={viewer.profileId} />
    </div>
  )
}

function BlockedPeople({ profileId }: { profileId: string }) {
  const blocked = useQuery(blockedQuery(profileId))
  return (
    <Section title={texts.blocked.title}>
      {!blocked.data && blocked.isError ? (
        <LoadFailed title={texts.blocked.loadFailed} of={blocked} />
      ) : !blocked.data ? (
        <ListSkeleton rows={1} />
      ) : blocked.data.length === 0 ? (
        <p className={classes.sectionMessage}>{texts.blocked.empty}</p>
      ) : (
        <ul className={classes.rows}>
          {blocked.data.map((block) => (
            <BlockedPerson key={block.id} block={block} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function BlockedPerson({ block: { id, blocked } }: { block: Blocked }) {
  const queryClient = useQueryClient()
  const name = blocked ? nameOf(blocked) : settingsTexts.receipts.gone
  const unblock = useMutation({
    mutationFn: async () => {
      await supabase.from('blocks').delete().eq('id', id).throwOnError()
    },
    onSuccess: () => {
      announce(texts.blocked.done(name))
      // Hidden content may be visible again (`useBlock`).
      void queryClient.invalidateQueries()
    },
    onError: () => toast.error(texts.blocked.failed),
  })
  return (
    <li className={classes.row}>
      {blocked ? (
        <Link to={paths.profile(addressOf(blocked))} className={classes.person}>
          <ProfileAvatar name={name} src={publicImage(blocked.avatar_url, blocked.updated_at)} size={40} />
          <span dir="auto">{name}</span>
        </Link>
      ) : (
        <span className={classes.person}>
          <ProfileAvatar name="" size={40} />
          <span className={classes.sentence}>{name}</span>
        </span>
      )}
      <Button
        variant="default"
        onClick={() => unblock.mutate()}
        loading={unblock.isPending}
        aria-label={texts.blocked.unblockNamed(name)}
      >
        {texts.blocked.unblock}
      </Button>
    </li>
  )
}
