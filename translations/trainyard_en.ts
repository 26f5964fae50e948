<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Forecast</name>
    <message numerus="yes">
        <source>%n class(es): </source>
        <translation>
            <numerusform>%n class: </numerusform>
            <numerusform>%n classes: </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n checkpoint(s)</source>
        <translation>
            <numerusform>at most %n checkpoint</numerusform>
            <numerusform>at most %n checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ConfigFacts</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::DataCharts</name>
    <message numerus="yes">
        <source>%n different</source>
        <translation>
            <numerusform>%n different</numerusform>
            <numerusform>%n different</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::DataPage</name>
    <message numerus="yes">
        <source>%1 of %n picture(s)</source>
        <translation>
            <numerusform>%1 of %n picture</numerusform>
            <numerusform>%1 of %n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first %n picture(s), there is no end</source>
        <translation>
            <numerusform>the first picture, there is no end</numerusform>
            <numerusform>the first %n pictures, there is no end</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n object(s)</source>
        <translation>
            <numerusform>%n object</numerusform>
            <numerusform>%n objects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without object</source>
        <translation>
            <numerusform>%n without object</numerusform>
            <numerusform>%n without object</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n Problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::MainWindow</name>
    <message numerus="yes">
        <source>Tags of %n run(s) changed.</source>
        <translation>
            <numerusform>Tags of %n run changed.</numerusform>
            <numerusform>Tags of %n runs changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of their group.</source>
        <translation>
            <numerusform>%n run taken out of its group.</numerusform>
            <numerusform>%n runs taken out of their group.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) put into the group %1.</source>
        <translation>
            <numerusform>%n run put into the group %1.</numerusform>
            <numerusform>%n runs put into the group %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Colour of %n run(s) changed.</source>
        <translation>
            <numerusform>Colour of %n run changed.</numerusform>
            <numerusform>Colour of %n runs changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) restored.</source>
        <translation>
            <numerusform>%n run restored.</numerusform>
            <numerusform>%n runs restored.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted. Their files go when the window closes.</source>
        <translation>
            <numerusform>%n run deleted. Its files go when the window closes.</numerusform>
            <numerusform>%n runs deleted. Their files go when the window closes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoint(s) deleted. Their files go when the window closes.</source>
        <translation>
            <numerusform>%n checkpoint deleted. Its files go when the window closes.</numerusform>
            <numerusform>%n checkpoints deleted. Their files go when the window closes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::MessageBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::PictureModel</name>
    <message numerus="yes">
        <source>, %n object(s)</source>
        <translation>
            <numerusform>, %n object</numerusform>
            <numerusform>, %n objects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::PictureViewer</name>
    <message numerus="yes">
        <source>%n object(s)</source>
        <translation>
            <numerusform>%n object</numerusform>
            <numerusform>%n objects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ignored</source>
        <translation>
            <numerusform>%n ignored</numerusform>
            <numerusform>%n ignored</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::SeriesPlot</name>
    <message numerus="yes">
        <source>▼ %n value(s) not finite</source>
        <translation>
            <numerusform>▼ %n value not finite</numerusform>
            <numerusform>▼ %n values not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::RunsHead</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
</TS>
