/**
 * Words that people set before a colon to order what they themselves want: `Task: …`, `Then: …`, `Betreff: …`. Any other
 * word in that place is taken for somebody who speaks, or for a field of what is shown.
 */
import { foldWord } from "./fold.ts";

const OWN = new Set(
  [
    // Kinds of words of one's own.
    "task tasks todo todos do job jobs goal goals aim objective objectives request requests ask asks wish need needs want wants order orders instruction instructions command commands action actions step steps item items point points plan plans idea ideas question questions answer problem problems issue issues bug bugs fix fixes feature features change changes update updates requirement requirements constraint constraints condition conditions rule rules limit limits budget scope priority priorities deadline due note notes nb reminder reminders remember hint hints tip tips info background context summary tldr tl;dr reason reasons why how what when where who example examples exception exceptions warning caution attention important urgent asap critical",
    "ps p.s pps please plz pls thanks thx ok okay yes no hi hello hey so well now first firstly second secondly third thirdly fourth last lastly then next after afterwards finally also and but or plus too additionally otherwise else if unless before once later today tonight tomorrow morning afternoon evening daily weekly monthly always never only except don't donts dos thing things more bonus optional extra optionally alternatively edit correction update addendum btw fyi actually instead part phase stage round section chapter option case version",
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december",
    // Fields of what one asks for.
    "to from cc bcc subject title body text message content description recipient recipients address mail email e-mail name names file files folder folders path paths url link links date time place location amount price sum total currency quantity number channel group project repo repository branch commit label labels tag tags status account invoice reference language format output input target targets source destination attachment attachments caption comment comments username environment env port host database table data tests test lint build deploy release docs documentation code frontend backend api ui ux server client web app mobile design cleanup clean-up refactor review research shopping groceries household house home work office admin travel flights flight hotel money bank payments payment calendar standup lunch dinner breakfast gym sync retro demo kickoff meeting meetings meet call calls phone sms contacts contact music photos inbox newsletter",
    "github gitlab git slack telegram whatsapp discord teams gmail outlook notion trello jira linear asana stripe paypal drive dropbox spotify zoom twitter x linkedin facebook instagram youtube amazon google docker npm node python typescript javascript css html",
    // What one does.
    "delete remove erase clear empty send email e-mail mail reply forward share invite post publish message write create add make save draft edit change move copy rename replace run execute test build install deploy commit push pull merge open close read check find search look show list summarize summarise translate explain compare buy order pay transfer refund book cancel schedule call remind turn set start stop restart download upload backup convert generate fill submit sign log archive unsubscribe use keep skip ignore avoid ask get fetch",
    "losche loschen entferne schicke schick sende senden schreib schreibe erstelle speichere verschiebe kopiere starte installiere offne lese prufe suche zeige kaufe bezahle uberweise buche teile mail borra elimina envia manda escribe crea guarda mueve copia ejecuta instala abre revisa busca muestra compra paga transfiere reserva comparte",
    // German, Spanish.
    "aufgabe aufgaben auftrag ziel ziele bitte bitten schritt schritte punkt hinweis notiz notizen anmerkung wichtig dringend achtung frage fragen plan regel regeln grenze budget betreff an von text nachricht inhalt empfanger datei dateien ordner datum zeit uhrzeit ort betrag preis anzahl danach dann zuerst erstens zweitens drittens zuletzt schliesslich ausserdem auch noch und aber jetzt heute morgen gestern spater sonst kontext hintergrund grund beispiel ausnahme ausnahmen montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember was wer wie wo wann ubrigens nachtrag teil sache",
    "tarea tareas objetivo objetivos encargo favor paso pasos punto nota notas aviso importante urgente atencion pregunta preguntas regla reglas limite presupuesto asunto para de texto mensaje contenido destinatario archivo archivos carpeta fecha hora lugar importe precio cantidad luego despues primero segundo tercero ademas tambien y pero ahora hoy manana ayer contexto motivo ejemplo excepcion lunes martes miercoles jueves viernes sabado domingo que quien como donde cuando posdata cosa gracias hola",
  ]
    .join(" ")
    .split(" "),
);

/** In languages without spaces a label is known by what it holds. */
const OWN_HAN =
  /任务|待办|目标|请求|要求|需求|步骤|事项|注意|备注|提醒|重要|紧急|问题|背景|上下文|原因|例外|规则|限制|预算|主题|标题|正文|内容|消息|收件人|发件人|抄送|地址|邮箱|文件|路径|日期|时间|地点|金额|价格|数量|然后|接着|首先|其次|最后|另外|此外|还有|今天|明天|现在|补充|说明|例如|比如|链接|语言|格式|第.{1,3}[步条个项]|一件事|如下|以下|下面|请|帮|谢谢|你好|删除|删|发送|发给|转发|支付|付款|购买|写|创建|运行|执行|修改|更新|移动|复制|打开|读|查|看|回复|分享|预订|取消/;

/** Whether a person would order their own words with it. @param label as typed, without its colon; short */
export function isOwnLabel(label: string): boolean {
  const words = foldWord(label)
    .replace(/[^\p{L}\p{M}\p{N};'.@ -]+/gu, " ")
    .trim()
    .split(/\s+/)
    .filter((word) => !/^[\d.)-]+$/.test(word));
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  if (/\p{Script=Han}/u.test(label)) return OWN_HAN.test(label);
  return words.length === 0 || OWN.has(first) || OWN.has(last);
}
