import { Button, Title } from '@mantine/core'
import { pitchTexts as texts } from '@ovation/contract/texts/pitch'
import { IconCheck } from '@tabler/icons-react'
import { appConfig } from '../../lib/api/config.ts'
import classes from './auth-screen.module.css'

/** What the product offers to creators (AUTH-03). */
export default function Pitch({ onJoin }: { onJoin: () => void }) {
  return (
    <section className={classes.pitch}>
      <div>
        <Title order={2} className={classes.pitchTitle}>
          {texts.title}
        </Title>
        <p className={classes.message}>{texts.message(appConfig().feePercent)}</p>
      </div>
      <div>
        <ul className={classes.points}>
          {texts.points.map((point) => (
            <li key={point}>
              <IconCheck size={18} stroke={2} aria-hidden="true" />
              {point}
            </li>
          ))}
        </ul>
        <Button variant="default" mt="lg" onClick={onJoin}>
          {texts.action}
        </Button>
      </div>
    </section>
  )
}
