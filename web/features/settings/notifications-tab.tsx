import { settingsTexts } from '@ovation/contract/texts/settings'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ForSettings } from './for-settings.tsx'
import { PushDevices } from './push-devices.tsx'
import { Section } from './section.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import classes from './settings.module.css'

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
            </div>
          </Section>
        </div>
      )}
    </ForSettings>
  )
}
