import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { brandsQuery } from '../../api/queries.ts'
import { Field, Form, Select, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'
import { sendSmallFile } from '../../uploads/register-upload.ts'

const corners = [
  { name: 'top_right', label: 'Top right' },
  { name: 'top_left', label: 'Top left' },
  { name: 'bottom_right', label: 'Bottom right' },
  { name: 'bottom_left', label: 'Bottom left' },
] as const

const colours = [
  { label: 'Colour of the text', name: 'colour', usual: '#ffffff' },
  { label: 'Colour of the spoken word', name: 'highlight_colour', usual: '#ffd400' },
  { label: 'Colour of the box', name: 'box_colour', usual: '#000000' },
] as const

export function NewBrand() {
  const queryClient = useQueryClient()
  const [made, setMade] = useState(0)
  const create = useAction(async (form: FormData) => {
    const [font, logo] = [await sentFile(form, 'font'), await sentFile(form, 'logo')]
    const corner = corners.find(({ name }) => name === form.get('logo_position')) ?? corners[0]
    const margin = textOf(form, 'margin')
    const side = Number(margin) / 100
    const [colour, highlight, box] = colours.map(({ name }) => textOf(form, name))
    const body = {
      name: textOf(form, 'name'),
      ...(font && { font_upload_id: font }),
      ...(logo && { logo_upload_id: logo }),
      logo_position: corner.name,
      logo_width: Number(textOf(form, 'logo_width')) / 100,
      ...(colour && { colour }),
      ...(highlight && { highlight_colour: highlight }),
      ...(box && { box_colour: box }),
      ...(margin && { margins: { top: side, bottom: side, left: side, right: side } }),
    }
    await resultOf(api.POST('/v1/brands', { body }))
    setMade((count) => count + 1)
    await queryClient.invalidateQueries(brandsQuery)
  })
  return (
    <Panel title="New brand">
      {/* A form of its own for each brand, so that the next one begins empty. */}
      <Form key={made} action={create} submit="Create the brand">
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Font" name="font" type="file" accept=".ttf,.otf" hint="TTF or OTF, at most 10 MiB." />
          <Field
            label="Logo"
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hint="PNG, JPEG or WebP. Transparent parts stay transparent."
          />
          <Select label="Corner of the logo" name="logo_position">
            {corners.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
          <Field
            label="Width of the logo in percent"
            name="logo_width"
            type="number"
            inputMode="decimal"
            required
            min="2"
            max="50"
            step="any"
            defaultValue="12"
            autoComplete="off"
            hint="Of the width of the picture."
          />
          <Field
            label="Margin in percent"
            name="margin"
            type="number"
            inputMode="decimal"
            min="0"
            max="40"
            step="any"
            placeholder="as without a brand"
            autoComplete="off"
            hint="What captions and logo keep free at each edge."
          />
          {colours.map(({ label, name, usual }) => (
            <Field
              key={name}
              label={label}
              name={name}
              pattern="#[0-9A-Fa-f]{6}"
              title="A colour such as #ffd400"
              placeholder={usual}
              autoComplete="off"
            />
          ))}
        </div>
      </Form>
    </Panel>
  )
}

/** The id of the upload of a file that was chosen. */
async function sentFile(form: FormData, field: string): Promise<string | undefined> {
  const file = form.get(field)
  return file instanceof File && file.size > 0 ? await sendSmallFile(file) : undefined
}
