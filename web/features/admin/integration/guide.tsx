import { Button, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { integrationTexts } from '@ovation/contract/texts/integration'
import classes from './integration.module.css'

const texts = integrationTexts.guide
/** The step with a URL to copy. */
const redirectStep = 2

/** Connecting the payment provider in five steps (TEST-02). */
export function Guide() {
  const clipboard = useClipboard()
  const redirectUrl = `${window.location.origin}${paths.creatorOnboarding}`
  return (
    <section className={`surface ${classes.section}`} aria-labelledby="guide">
      <div className={classes.head}>
        <h2 id="guide">{texts.title}</h2>
      </div>
      <ol className={classes.steps}>
        {texts.steps.map(({ title, message }, index) => (
          <li key={title}>
            <h3>{title}</h3>
            <Text c="dimmed">{message}</Text>
            {index === redirectStep && (
              <p className={classes.address}>
                <code>{redirectUrl}</code>
                <Button variant="default" size="xs" onClick={() => clipboard.copy(redirectUrl)}>
                  {clipboard.copied ? texts.copied : texts.copy}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
