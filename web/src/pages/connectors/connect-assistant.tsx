import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useCopy } from '../../components/use-copy.ts'
import { assistantsFor } from './assistants.ts'

/** How each assistant is connected with a new token, while the page still has it. */
export function ConnectAssistant({ address, secret }: { readonly address: string; readonly secret: string }) {
  const assistants = assistantsFor(address, secret)
  const [name, setName] = useState(assistants[0]?.name)
  const { copy, said, forget } = useCopy()
  const chosen = assistants.find((each) => each.name === name)
  return (
    <Panel title="Connect an assistant">
      <Select
        label="Assistant"
        value={name}
        onChange={({ target }) => {
          setName(target.value)
          forget()
        }}
      >
        {assistants.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </Select>
      {chosen && (
        <>
          <p className="text-quiet">{chosen.place}</p>
          <pre className="rounded-md bg-raised p-3 break-all whitespace-pre-wrap select-all">{chosen.text}</pre>
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={() => copy(chosen.text)}>Copy the text</Button>
            {chosen.link && (
              <a href={chosen.link} className="underline">
                Open {chosen.name}
              </a>
            )}
            <span role="status">{said}</span>
          </div>
        </>
      )}
      <p className="text-quiet">
        Then ask it to call <code>get_agent_guide</code>. If the assistant says that the names of tools are not valid,
        ask whoever runs this service to take the dots out of them: the setting is <code>TOOL_PREFIX=svc_</code>.
      </p>
    </Panel>
  )
}
