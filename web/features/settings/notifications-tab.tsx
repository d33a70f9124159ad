import { settingsTexts } from '@ovation/contract/texts/settings'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { Segments } from '../../ui/segments.tsx'
import { ForSettings } from './for-settings.tsx'
import { OfferSettings } from './offer-settings.tsx'
import { PushDevices } from './push-devices.tsx'
import { Section } from './section.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import classes from './settings.module.css'
import type { PostEmails, Settings } from './settings-query.ts'

const texts = settingsTexts.notifications
const kinds = ['messages', 'tips', 'subscriptions'] as const

/** Channels and kinds of notifications (SET-16, SET-17). The notifications screen always shows everything. */
export default function NotificationsTab({ viewer }: { viewer: Viewer }) {
  return (
    <ForSettings profileId={viewer.profileId}>
      {({ notifications }, save) => (
        <div className={classes.sections}>
          <Section title={texts.channels}>
            <div className={classes.body}>
              <SettingSwitch label={texts.inApp} hint={texts.inAppHint} checked disabled />
              <SettingSwitch
                label={texts.email}
                hint={texts.emailHint}
                checked={notifications.email}
                onChange={(email) => save({ notifications: { email } })}
              />
              <SettingSwitch
                label={texts.digest}
                hint={texts.digestHint}
                checked={notifications.digest}
                disabled={!notifications.email}
                onChange={(digest) => save({ notifications: { digest } })}
              />
              <SettingSwitch
                label={texts.push}
                hint={texts.pushHint}
                checked={notifications.push}
                onChange={(push) => save({ notifications: { push } })}
              />
            </div>
            {notifications.push && <PushDevices />}
          </Section>
          <Section title={texts.kinds} message={texts.kindsHint}>
            <div className={classes.body}>
              {kinds.map((kind) => (
                <SettingSwitch
                  key={kind}
                  label={texts[kind]}
                  checked={notifications[kind]}
                  onChange={(on) => save({ notifications: { [kind]: on } })}
                />
              ))}
              <SettingSwitch
                label={texts.posts}
                hint={texts.postsHint}
                checked={notifications.posts}
                onChange={(posts) => save({ notifications: { posts } })}
              />
              {notifications.email && notifications.posts && (
                <PostEmailsChoice
                  notifications={notifications}
                  onChange={(postEmails) => save({ notifications: { postEmails } })}
                />
              )}
            </div>
          </Section>
          <OfferSettings />
        </div>
      )}
    </ForSettings>
  )
}

type ChoiceProps = { notifications: Settings['notifications']; onChange: (postEmails: PostEmails) => void }

/** When new posts are emailed (LOOP-02). With the daily digest on, not at once. */
function PostEmailsChoice({ notifications: { digest, postEmails }, onChange }: ChoiceProps) {
  const choices: PostEmails[] = digest ? ['daily', 'none'] : ['immediately', 'daily', 'none']
  return (
    <div className={classes.row}>
      <div className={classes.rowWords}>
        <div className={classes.rowTitle} id="post-emails">
          {texts.postEmails}
        </div>
      </div>
      <Segments
        aria-labelledby="post-emails"
        value={choices.includes(postEmails) ? postEmails : 'daily'}
        onChange={onChange}
        data={choices.map((value) => ({ value, label: texts.postEmailsChoices[value] }))}
      />
    </div>
  )
}
