import { Accordion } from '@mantine/core'
import { supportTexts } from '@ovation/contract/texts/support'
import { appConfig } from '../../lib/api/config.ts'
import classes from './support-screen.module.css'

/** SUPP-14..SUPP-22. One answer is open at a time, and can be closed. */
export function Faq() {
  return (
    <Accordion order={3} classNames={{ item: classes.item, label: classes.question, content: classes.answer }}>
      {supportTexts.faq.items.map(({ question, answer }) => (
        <Accordion.Item key={question} value={question}>
          <Accordion.Control>{question}</Accordion.Control>
          <Accordion.Panel>{typeof answer === 'string' ? answer : answer(appConfig().feePercent)}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
