"""The same signals in German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese and Korean."""

from __future__ import annotations

__all__ = ["LANGUAGES"]

# Name, weight, core, patterns. Endings are left open: an order may be polite or not, to one or to many.
LANGUAGES: tuple[tuple[str, float, bool, tuple[str, ...]], ...] = (
    ("override", 0.75, True, (
        r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie|beachte\w*|befolge\w*)<~30>(?:anweisung|regel"
        r"|instruktion|vorgabe|befehl|anordnung|alles|was dir)\w*",
        r"\b(?:ignor(?:e|ez|er)|oubli\w*|néglige\w*|ne (?:tiens|tenez) pas compte"
        r"|fais abstraction)<~25>(?:instructions|consignes|règles|directives|ce qui précède|tout ce qu)",
        r"\b(?:ignor(?:a|e|ad|ar|en|es)|olvid\w*|descart\w*|no hagas caso|haz caso omiso)<~25>(?:instruccion\w*"
        r"|indicacion\w*|reglas|órdenes|todo lo)",
        r"\b(?:ignor(?:a|i|are|ate)|dimentic\w*|trascur\w*)<~25>(?:istruzion\w*|regole|indicazion\w*|ordini"
        r"|tutto quello|tutto ciò)",
        r"\b(?:ignor(?:e|a|ar|em)|esqueç\w*|desconsider\w*|desprez\w*)<~25>(?:instruç\w*|regras|orientaç\w*|ordens"
        r"|tudo o que)",
        r"\b(?:negeer|vergeet|sla geen acht op)<~25>(?:instructies?|opdrachten?|regels|aanwijzingen|alles wat)",
        r"(?:игнориру|забудь|не обращай внимания|отбрось|не следуй)\p{Cyrillic}*<~25>(?:инструкц|указан|правил"
        r"|команд|всё|все)",
        r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要理會|不必遵守)[^。!?\n]{0,15}(?:指令|指示|提示|规则|規則|要求|命令|说明|內容|内容)",
        r"(?:以前|これまで|上記|前の|すべて|全て|今まで|元の)[^。!?\n]{0,15}(?:指示|命令|ルール|規則|プロンプト)[^。!?\n]{0,12}(?:無視|忘れ|従わない|破棄)",
        r"(?:이전|위의|앞의|앞선|지금까지|모든|기존)[^.!?\n]{0,15}(?:지시|명령|규칙|지침|프롬프트)[^.!?\n]{0,12}(?:무시|잊|따르지)",
    )),
    ("concealment", 0.6, True, (
        r"\b(?:sag\w*|verrat\w*|verrät\w*|erzähl\w*|teil\w*|erwähn\w*|informier\w*)<~25>(?:nutzer\w*|benutzer\w*"
        r"|anwender\w*|menschen?|person)<~15>(?:nicht|nichts)",
        r"\b(?:nutzer|benutzer|anwender)\w*<~15>(?:nichts|nicht)<~20>(?:sagen|mitteilen|verraten|erfahren|wissen"
        r"|davon)?",
        r"\bne <~15>(?:dis|dites|parle\w*|inform\w*|signal\w*|mention\w*|préviens)<~25>(?:utilisateur|personne)"
        r"|\bsans <~25>(?:avertir|demander|prévenir|informer)<~20>utilisateur|sans demander l'avis",
        r"\b(?:no|sin) <~15>(?:digas?|inform\w*|mencion\w*|avis\w*|revel\w*|cuentes)<~25>(?:usuario|nadie)",
        r"\b(?:non|senza) <~15>(?:dire|dica|inform\w*|menzion\w*|rivel\w*|avvis\w*)<~25>(?:utente|nessuno)",
        r"\b(?:não|sem) <~15>(?:diga|cont\w*|inform\w*|mencion\w*|revel\w*|avis\w*)<~25>(?:usuário|utilizador"
        r"|ninguém)",
        r"\b(?:vertel|zeg|meld)<~25>gebruiker<~15>(?:niet|niets)|\bzonder<~20>gebruiker<~20>(?:te vertellen"
        r"|te vragen|te informeren)",
        r"(?:не (?:говори|сообщай|рассказывай|упоминай|показывай))\p{Cyrillic}*<~30>(?:пользовател|человек|никому)",
        r"(?:不要|别|別|勿|不得|切勿|无需|不能)[^。!?\n]{0,6}(?:告诉|告訴|告知|通知|提及|透露|让)[^。!?\n]{0,8}(?:用户|用戶|使用者|任何人|人类)",
        r"ユーザー?[^。!?\n]{0,12}(?:知らせず|言わず|伝えず|知らせない|言わない|伝えない|秘密|内緒)",
        r"(?:사용자|유저)[^.!?\n]{0,12}(?:알리지|말하지|숨기)",
    )),
    ("addressed", 0.55, True, (
        r"\b(?:an|für) (?:die |alle |den |das )?(?-i:KI|KIs|KI-\w+|Sprachmodelle?|Assistenten)\b"
        r"|\bwenn du ein(?:e)? (?-i:KI|Sprachmodell|Assistent)|\bdu bist (?:jetzt|nun) (?:ein|der)",
        r"\bsi tu es (?:une|un) (?:intelligence artificielle|(?-i:IA)|assistant|modèle)|\b(?:note|message"
        r"|instruction|consigne)s? (?:pour|à) (?:l'|les |l’)?(?-i:IA\b|assistants?\b|modèles?)",
        r"\bsi eres (?:una|un) (?-i:IA|inteligencia|asistente|modelo)|\b(?:instrucci[oó]n|nota|mensaje"
        r"|aviso)(?:es)? (?:para|a) (?:el |la |los )?(?:asistentes?|(?-i:IA)\b|modelos?)|\bactúa como",
        r"\bse sei (?:un|una|un')(?: ?)(?-i:IA|intelligenza|assistente|modello)|\b(?:nota|istruzion[ei]"
        r"|messaggio) per (?:l'|gli |i |la )?(?:assistent[ei]|(?-i:IA)\b|modell[oi])",
        r"\bse você é (?:uma|um) (?-i:IA|inteligência|assistente|modelo)|\b(?:nota|instruç\w+|mensagem) para (?:o "
        r"|a |os )?(?:assistentes?|(?-i:IA)\b|modelos?)",
        r"(?:если ты|внимание)[ ,]+(?:ии|ассистент|языковая модель|нейросеть)",
        r"(?:致|如果你是|给|請)[^。!?\n]{0,6}(?:人工智能|AI助手|AI 助手|语言模型|大模型|智能助手)",
        r"(?:AI|人工知能|アシスタント|言語モデル)(?:への|に対する|の方へ|である場合)",
        r"(?:AI|인공지능|어시스턴트|언어 모델)(?:에게|이라면|라면)",
    )),
    ("act in another language", 0.4, False, (
        r"\b(?:gib|schicke?|sende?|führe|lies|zeige?|lösche?|lade|kopiere?|öffne|verrate?|nenne)\b<~50>\b(?:aus|an|datei\w*"
        r"|befehl\w*|inhalt\w*|schlüssel\w*|passw\w+|hoch|vor|systemprompt)\b|ohne einschränkung",
        r"\b(?:envoie|envoyez|affiche\w*|exécute\w*|lis|lisez|montre\w*|supprime\w*|copie[rz]?\b|télécharge\w*)\b"
        r"|consigne système|ne dis rien",
        r"\b(?:envía|envíe|muestra|muestre|ejecuta|ejecute|lee|lea|borra|copia|sube|pégalo|responde)\b"
        r"|sin restricciones",
        r"\b(?:invia|inviate|mostra|esegui|leggi|cancella|copia|carica|rispondi|stampa)\b|non dire nulla",
        r"\b(?:envie|mostre|leia|apague|carregue|responda|imprima)\b|não informe",
        r"\b(?:stuur|toon|voer|lees|verwijder|kopieer)\b",
        r"(?:отправь|покажи|выполни|прочитай|удали|скопируй|загрузи|выведи|не сообщай)",
        r"(?:发送|發送|输出|輸出|执行|執行|读取|讀取|上传|上傳|删除|打包|打印|显示|不要告诉)",
        r"(?:送信|実行|表示|出力|読み取|削除|アップロード|コピー)",
        r"(?:출력|전송|실행|삭제|업로드|보내|읽어)",
    )),
)  # fmt: skip
