import { Text } from '@mantine/core'
import { broadcastTexts as texts } from '@ovation/contract/texts/broadcast'
import { IconChartBar, IconSpeakerphone } from '@tabler/icons-react'
import type { BroadcastValues } from './broadcast-rules.ts'
import classes from './broadcast-tab.module.css'

/** The notification as users will see it. */
export function BroadcastPreview({ values }: { values: BroadcastValues }) {
  const { kind, title, message, pollTitle, description, options, days } = values
  const Icon = kind === 'poll' ? IconChartBar : IconSpeakerphone
  return (
    <div className={`surface ${classes.card}`}>
      <Icon size={22} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <div className={classes.text}>
        <Text fw={600} c={title.trim() ? undefined : 'dimmed'}>
          {title.trim() || texts.previewTitle}
        </Text>
        {message.trim() && <Text className={classes.lines}>{message.trim()}</Text>}
        {kind === 'poll' && (
          <>
            <Text fw={600} mt="sm" c={pollTitle.trim() ? undefined : 'dimmed'}>
              {pollTitle.trim() || texts.pollTitle}
            </Text>
            {description.trim() && (
              <Text size="sm" c="dimmed">
                {description.trim()}
              </Text>
            )}
            <ul className={classes.answers}>
              {options
                .map((option, index) => ({ option: option.trim(), index }))
                .filter(({ option }) => option !== '')
                .map(({ option, index }) => (
                  <li key={index}>{option}</li>
                ))}
            </ul>
            <Text size="sm" c="dimmed">
              {texts.duration} {texts.days(Number(days))}
            </Text>
          </>
        )}
      </div>
    </div>
  )
}
